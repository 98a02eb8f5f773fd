func.func @returned(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %y:2 = block.layer "h.0" at 0 -> tensor<2x5x8xf32>, tensor<2x5x8xf32> {
    %n = block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
    %a = block.linear %n, %w : tensor<2x5x8xf32>
    block.yield %a, %n : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  }
  return %y#0, %y#1 : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
