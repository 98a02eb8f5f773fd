func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = "mycorp.op"(%x) : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %zero = arith.constant dense<0.0> : tensor<1x2x4xf32>
  %1 = arith.maximumf %0, %zero : tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}
