// linear.mlir in bf16.
func.func @main(
    %x: tensor<1x2x2xbf16> {block.input = "hidden_states"},
    %w: tensor<2x2xbf16> {block.param = "w"})
    -> (tensor<1x2x2xbf16> {block.output = "hidden_states"}) {
  %f = block.linear %x, %w : (tensor<1x2x2xbf16>, tensor<2x2xbf16>) -> tensor<1x2x2xbf16>
  %y = block.residual %x, %f : (tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %y : tensor<1x2x2xbf16>
}
