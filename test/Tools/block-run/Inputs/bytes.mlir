func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
  return %a : tensor<2xi8>
}
