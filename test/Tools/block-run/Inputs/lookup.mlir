func.func @main(%ids: tensor<1x64xi64> {block.input = "input_ids"}) -> (tensor<1x64xi64> {block.output = "ids"}) {
  return %ids : tensor<1x64xi64>
}
