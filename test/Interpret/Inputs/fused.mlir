// Queries, keys and values in one matrix, an output matrix stored [in, out], and gate|up.
func.func @main(
    %x: tensor<2x9x32xf32> {block.input = "hidden_states"},
    %w: tensor<96x32xf32> {block.param = "qkv", block.init = #block.init<kind = normal, std = 0.18>},
    %o: tensor<32x32xf32> {block.param = "o", block.init = #block.init<kind = normal, std = 0.18>},
    %gu: tensor<128x32xf32> {block.param = "gate_up", block.init = #block.init<kind = normal, std = 0.18>},
    %d: tensor<32x64xf32> {block.param = "down", block.init = #block.init<kind = normal, std = 0.2>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %r = tensor.expand_shape %w [[0, 1], [2]] output_shape [12, 8, 32] : tensor<96x32xf32> into tensor<12x8x32xf32>
  %q3 = tensor.extract_slice %r[0, 0, 0] [4, 8, 32] [1, 1, 1] : tensor<12x8x32xf32> to tensor<4x8x32xf32>
  %k3 = tensor.extract_slice %r[4, 0, 0] [4, 8, 32] [1, 1, 1] : tensor<12x8x32xf32> to tensor<4x8x32xf32>
  %v3 = tensor.extract_slice %r[8, 0, 0] [4, 8, 32] [1, 1, 1] : tensor<12x8x32xf32> to tensor<4x8x32xf32>
  %q = tensor.collapse_shape %q3 [[0, 1], [2]] : tensor<4x8x32xf32> into tensor<32x32xf32>
  %k = tensor.collapse_shape %k3 [[0, 1], [2]] : tensor<4x8x32xf32> into tensor<32x32xf32>
  %v = tensor.collapse_shape %v3 [[0, 1], [2]] : tensor<4x8x32xf32> into tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xf32>
  %t = linalg.transpose ins(%o : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) permutation = [1, 0]
  %a = block.attention %x q %q k %k v %v o %t {
    heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 0.35, causal = true>
  } : (tensor<2x9x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<2x9x32xf32>
  %gate = tensor.extract_slice %gu[0, 0] [64, 32] [1, 1] : tensor<128x32xf32> to tensor<64x32xf32>
  %up = tensor.extract_slice %gu[64, 0] [64, 32] [1, 1] : tensor<128x32xf32> to tensor<64x32xf32>
  %f = block.mlp %a up %up gate %gate down %d {activation = #block.activation<silu>}
    : (tensor<2x9x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<2x9x32xf32>
  return %f : tensor<2x9x32xf32>
}
