// Targets of eleven classes, and what was drawn for them.
func.func @main(
    %x: tensor<4x32x2xf32> {block.input = "x"},
    %w: tensor<11x2xf32> {block.param = "w"},
    %targets: tensor<4x32xi64> {block.input = "targets"})
    -> (tensor<f32> {block.output = "loss"}, tensor<4x32xi64> {block.output = "targets.out"}) {
  %loss = block.cross_entropy %x, %w targets %targets : (tensor<4x32x2xf32>, tensor<11x2xf32>, tensor<4x32xi64>) -> tensor<f32>
  return %loss, %targets : tensor<f32>, tensor<4x32xi64>
}
