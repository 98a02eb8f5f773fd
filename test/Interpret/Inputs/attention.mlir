// Grouped heads, rotated, normalised, capped and with slopes: all that scores pass through.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, std = 0.18>},
    %k: tensor<16x32xf32> {block.param = "k", block.init = #block.init<kind = normal, std = 0.18>},
    %v: tensor<16x32xf32> {block.param = "v", block.init = #block.init<kind = normal, std = 0.18>},
    %o: tensor<32x32xf32> {block.param = "o", block.init = #block.init<kind = normal, std = 0.18>},
    %qg: tensor<8xf32> {block.param = "q_gamma", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>},
    %kg: tensor<8xf32> {block.param = "k_gamma", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.attention %x q %q k %k v %v o %o q_gamma %qg k_gamma %kg {
    heads = 4 : i64, kv_heads = 2 : i64,
    qk_norm = #block.qk_norm<form = <kind = rms, eps = 1.0e-5>, place = before_rope>,
    rope = #block.rope<style = half, dim = 8, base = 100.0>,
    scores = #block.scores<scale = 0.5, causal = true, window = 4, softcap = 2.0, alibi_max = 8.0, order = scale_bias_cap>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
