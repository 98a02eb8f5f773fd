// Rows that are taken from a sequence that has none.
func.func @main(%x: tensor<2x0x8xf32> {block.input = "x"}, %rows: tensor<3xi64> {block.input = "rows"}) -> tensor<2x3x8xf32> {
  %0 = block.take_rows %x at %rows : (tensor<2x0x8xf32>, tensor<3xi64>) -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}
