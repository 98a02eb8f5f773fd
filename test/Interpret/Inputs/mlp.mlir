// Biases keep what the activation reads near -2.5, where the two gelus differ most in proportion.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %u: tensor<64x32xf32> {block.param = "up", block.init = #block.init<kind = normal, std = 0.05>},
    %d: tensor<32x64xf32> {block.param = "down", block.init = #block.init<kind = normal, std = 0.12>},
    %b: tensor<64xf32> {block.param = "up_bias", block.init = #block.init<kind = uniform, mean = -2.5, std = 0.1>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.mlp %x up %u down %d up_bias %b {activation = #block.activation<gelu_tanh>}
    : (tensor<2x9x32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<64xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
