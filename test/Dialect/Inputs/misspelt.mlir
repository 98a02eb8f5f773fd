func.func @main(%x: tensor<2x8xf32> {block.input = "x"}) -> tensor<2x8xf32> {
  %0 = block.activaton #block.activation<silu> %x : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
