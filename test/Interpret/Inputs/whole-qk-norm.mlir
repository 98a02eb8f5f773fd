// The norm of queries and keys spans one head or all of them; no gains, whose sizes would differ.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, mean = 0.05, std = 0.4>},
    %k: tensor<32x32xf32> {block.param = "k", block.init = #block.init<kind = normal, mean = 0.05, std = 0.4>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.attention %x q %q k %k {
    heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 0.5>,
    qk_norm = #block.qk_norm<form = <kind = rms, eps = 1.0e-5>, extent = whole>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
