// Bucketed bias, Shaw tables, shaped gains, padding and past keys at once.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %lengths: tensor<2xi64> {block.input = "lengths"},
    %pk: tensor<2x3x32xf32> {block.input = "past_key.0"},
    %pv: tensor<2x3x32xf32> {block.input = "past_value.0"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, std = 0.18>},
    %k: tensor<32x32xf32> {block.param = "k", block.init = #block.init<kind = normal, std = 0.18>},
    %t: tensor<8x4xf32> {block.param = "table", block.init = #block.init<kind = normal>},
    %sk: tensor<5x8xf32> {block.param = "shaw_key", block.init = #block.init<kind = normal, std = 0.5>},
    %sv: tensor<5x8xf32> {block.param = "shaw_value", block.init = #block.init<kind = normal, std = 0.5>},
    %b: tensor<4xf32> {block.param = "beta", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>},
    %g: tensor<4xf32> {block.param = "gamma", block.init = #block.init<kind = normal, mean = 1.0, std = 0.3>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.attention %x q %q k %k lengths %lengths relative %t shaw_key %sk shaw_value %sv beta %b gamma %g past_key %pk past_value %pv {
    buckets = #block.buckets<max_distance = 16, bidirectional = true>,
    heads = 4 : i64, kv_heads = 4 : i64, rope = #block.rope<style = half, dim = 8>,
    scores = #block.scores<scale = 0.35>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2xi64>, tensor<8x4xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x32xf32>, tensor<2x3x32xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
