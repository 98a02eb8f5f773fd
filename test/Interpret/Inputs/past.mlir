// The last three of nine tokens: as rows of the whole, and with the first six as past keys and values.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, std = 0.18>},
    %k: tensor<16x32xf32> {block.param = "k", block.init = #block.init<kind = normal, std = 0.18>},
    %v: tensor<16x32xf32> {block.param = "v", block.init = #block.init<kind = normal, std = 0.18>},
    %t: tensor<8x4xf32> {block.param = "table", block.init = #block.init<kind = normal>}
) -> (tensor<2x3x32xf32> {block.output = "whole"}, tensor<2x3x32xf32> {block.output = "resumed"}) {
  %a = block.attention %x q %q k %k v %v relative %t {
    heads = 4 : i64, kv_heads = 2 : i64, buckets = #block.buckets<max_distance = 16>,
    rope = #block.rope<style = half, dim = 6, base = 100.0>,
    scores = #block.scores<scale = 0.5, causal = true, window = 5, softcap = 2.0, alibi_max = 8.0>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<8x4xf32>) -> tensor<2x9x32xf32>
  %whole = tensor.extract_slice %a[0, 6, 0] [2, 3, 32] [1, 1, 1] : tensor<2x9x32xf32> to tensor<2x3x32xf32>

  %first = tensor.extract_slice %x[0, 0, 0] [2, 6, 32] [1, 1, 1] : tensor<2x9x32xf32> to tensor<2x6x32xf32>
  %last = tensor.extract_slice %x[0, 6, 0] [2, 3, 32] [1, 1, 1] : tensor<2x9x32xf32> to tensor<2x3x32xf32>
  %pk0 = block.linear %first, %k : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
  %pk = block.rope %pk0 {heads = 2 : i64, form = #block.rope<style = half, dim = 6, base = 100.0>} : (tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
  %pv = block.linear %first, %v : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
  %resumed = block.attention %last q %q k %k v %v relative %t past_key %pk past_value %pv {
    heads = 4 : i64, kv_heads = 2 : i64, buckets = #block.buckets<max_distance = 16>,
    rope = #block.rope<style = half, dim = 6, base = 100.0>,
    scores = #block.scores<scale = 0.5, causal = true, window = 5, softcap = 2.0, alibi_max = 8.0>
  } : (tensor<2x3x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<8x4xf32>, tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<2x3x32xf32>
  return %whole, %resumed : tensor<2x3x32xf32>, tensor<2x3x32xf32>
}
