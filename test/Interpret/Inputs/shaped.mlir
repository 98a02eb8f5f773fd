// Shaped attention: identity, softmax and centring, each with a gain per head.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, std = 0.18>},
    %k: tensor<32x32xf32> {block.param = "k", block.init = #block.init<kind = normal, std = 0.18>},
    %a: tensor<4xf32> {block.param = "alpha", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>},
    %b: tensor<4xf32> {block.param = "beta", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>},
    %g: tensor<4xf32> {block.param = "gamma", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.attention %x q %q k %k alpha %a beta %b gamma %g {
    heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 0.35, causal = true>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
