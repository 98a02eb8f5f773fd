// The project's own pass, then one of ours.
func.func @main(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
