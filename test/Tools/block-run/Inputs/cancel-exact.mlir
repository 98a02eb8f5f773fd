// The same function in real arithmetic.
func.func @main(%x: tensor<1x2x2xbf16> {block.input = "hidden_states"})
    -> (tensor<1x2x2xbf16> {block.output = "hidden_states"}) {
  %y = block.scale %x {factor = 2.0 : f64} : (tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %y : tensor<1x2x2xbf16>
}
