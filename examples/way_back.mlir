// A block that the stock mlir-opt lowers once it is linalg again, and numbers for it: see
// "The way back" in docs/use/Integration.md.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @mlp(%x: tensor<1x2x4xf32>, %gamma: tensor<4xf32>, %up: tensor<8x4xf32>, %down: tensor<4x8xf32>) -> tensor<1x2x4xf32> {
  %0 = block.norm %x gamma %gamma {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<1x2x4xf32>
  %1 = block.mlp %0 up %up down %down {activation = #block.activation<gelu_tanh>} : tensor<1x2x4xf32>, tensor<8x4xf32>
  %2 = block.residual %x, %1 : tensor<1x2x4xf32>
  return %2 : tensor<1x2x4xf32>
}

func.func @main() {
  %x = arith.constant dense<[[[0.5, -1.0, 2.0, 0.25], [1.0, 0.0, -0.5, 3.0]]]> : tensor<1x2x4xf32>
  %gamma = arith.constant dense<[1.0, 0.5, 2.0, 1.5]> : tensor<4xf32>
  %up = arith.constant dense<0.25> : tensor<8x4xf32>
  %down = arith.constant dense<0.125> : tensor<4x8xf32>
  %y = call @mlp(%x, %gamma, %up, %down) : (tensor<1x2x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<1x2x4xf32>
  %unranked = tensor.cast %y : tensor<1x2x4xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()
  return
}
