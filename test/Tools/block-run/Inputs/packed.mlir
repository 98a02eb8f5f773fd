// unpacked.mlir with the work on weights split off.
func.func @prepack(%a: tensor<2x2xf32> {block.param = "a"}, %b: tensor<2x2xf32> {block.param = "b"})
    -> (tensor<2x2xf32> {block.output = "packed.ab"}) {
  %ab = block.reparam %a from %b {skip = 2.0 : f64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %ab : tensor<2x2xf32>
}
func.func @main(
    %x: tensor<1x2x2xf32> {block.input = "hidden_states"},
    %ab: tensor<2x2xf32> {block.param = "packed.ab"})
    -> (tensor<1x2x2xf32> {block.output = "hidden_states"}) {
  %y = block.linear %x, %ab : (tensor<1x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2xf32>
  return %y : tensor<1x2x2xf32>
}
