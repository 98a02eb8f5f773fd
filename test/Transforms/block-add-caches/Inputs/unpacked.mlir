#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %w: tensor<4x4xf32> {block.param = "w"}) -> tensor<1x?x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %d = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %q = block.linear %x, %d : tensor<1x?x4xf32>
  %y = block.sdpa %q, %q, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}
