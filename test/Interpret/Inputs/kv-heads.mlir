// Query head h reads key head h / 2. With the heads of q and o exchanged, [0, 2, 1, 3],
// the function is that of a model that reads key head h mod 2.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %q: tensor<32x32xf32> {block.param = "q", block.init = #block.init<kind = normal, std = 0.18>},
    %k: tensor<16x32xf32> {block.param = "k", block.init = #block.init<kind = normal, std = 0.18>},
    %v: tensor<16x32xf32> {block.param = "v", block.init = #block.init<kind = normal, std = 0.18>},
    %o: tensor<32x32xf32> {block.param = "o", block.init = #block.init<kind = normal, std = 0.18>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %q4 = tensor.expand_shape %q [[0, 1, 2], [3]] output_shape [2, 2, 8, 32] : tensor<32x32xf32> into tensor<2x2x8x32xf32>
  %qe = tensor.empty() : tensor<2x2x8x32xf32>
  %qt = linalg.transpose ins(%q4 : tensor<2x2x8x32xf32>) outs(%qe : tensor<2x2x8x32xf32>) permutation = [1, 0, 2, 3]
  %qx = tensor.collapse_shape %qt [[0, 1, 2], [3]] : tensor<2x2x8x32xf32> into tensor<32x32xf32>
  %o4 = tensor.expand_shape %o [[0], [1, 2, 3]] output_shape [32, 2, 2, 8] : tensor<32x32xf32> into tensor<32x2x2x8xf32>
  %oe = tensor.empty() : tensor<32x2x2x8xf32>
  %ot = linalg.transpose ins(%o4 : tensor<32x2x2x8xf32>) outs(%oe : tensor<32x2x2x8xf32>) permutation = [0, 2, 1, 3]
  %ox = tensor.collapse_shape %ot [[0], [1, 2, 3]] : tensor<32x2x2x8xf32> into tensor<32x32xf32>
  %0 = block.attention %x q %q k %k v %v o %o {
    heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.35, causal = true>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
