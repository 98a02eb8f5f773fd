// A row whose size is that of the epsilon, so that it matters where the epsilon is.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states", block.init = #block.init<kind = normal, mean = 0.05, std = 0.3>},
    %g: tensor<32xf32> {block.param = "gamma", block.init = #block.init<kind = normal, mean = 1.0, std = 0.2>},
    %b: tensor<32xf32> {block.param = "beta", block.init = #block.init<kind = normal, mean = 0.1, std = 0.2>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.norm %x gamma %g beta %b {form = #block.norm<kind = layer, eps = 0.1, eps_form = inside_root, gamma_form = direct, rounding = after_gain>}
    : (tensor<2x9x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
