// A function that no step is small enough for.
func.func @main_step(
    %w: tensor<4xf32> {block.param = "w"},
    %dy: tensor<4xf32> {block.input = "grad.y"})
    -> (tensor<4xf32> {block.output = "y"},
        tensor<4xf32> {block.grad = "w"}) {
  %fast = arith.constant dense<1.0e+12> : tensor<4xf32>
  %scaled = arith.mulf %w, %fast : tensor<4xf32>
  %y = math.sin %scaled : tensor<4xf32>
  return %y, %dy : tensor<4xf32>, tensor<4xf32>
}
