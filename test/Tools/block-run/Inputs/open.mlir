// y = w, whose gradient by w is grad.y: two elements of it, in as many as dw has.
func.func @main(
    %w: tensor<?xf32> {block.input = "w", block.dims = ["rows"]},
    %dy: tensor<?xf32> {block.input = "grad.y", block.dims = ["rows"]},
    %dw: tensor<?xf32> {block.input = "dw", block.dims = ["others"]})
    -> (tensor<?xf32> {block.output = "y"}, tensor<?xf32> {block.grad = "w"}) {
  %cut = tensor.extract_slice %dy[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
  %result = tensor.insert_slice %cut into %dw[0] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %w, %result : tensor<?xf32>, tensor<?xf32>
}
