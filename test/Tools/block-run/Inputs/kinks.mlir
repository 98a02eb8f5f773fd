// So many corners that some are within any step of the usual size.
func.func @main_step(
    %w: tensor<256x1024xf32> {block.param = "w"},
    %dy: tensor<256x1024xf32> {block.input = "grad.y"})
    -> (tensor<256x1024xf32> {block.output = "y"},
        tensor<256x1024xf32> {block.grad = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<256x1024xf32>
  %y = arith.maximumf %w, %zero : tensor<256x1024xf32>
  %open = arith.cmpf ogt, %w, %zero : tensor<256x1024xf32>
  %dw = arith.select %open, %dy, %zero : tensor<256x1024xi1>, tensor<256x1024xf32>
  return %y, %dw : tensor<256x1024xf32>, tensor<256x1024xf32>
}
