func.func @f(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.clamp %x {limit = -1.0 : f64} : tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
