// One layer as launches: ids, lengths and stream are known through the kernels' arguments.
func.func @main(
    %ids: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]},
    %n: tensor<?xi64> {block.input = "lengths", block.dims = ["batch"]},
    %wte: tensor<11x8xf32> {block.param = "wte", block.init = #block.init<kind = normal>},
    %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<?x?x8xf32> {block.output = "hidden_states"}, tensor<?x?xi64> {block.output = "input_ids.out"}, tensor<?xi64> {block.output = "lengths.out"}) {
  %x = block.kernel "rows" (%a = %ids : tensor<?x?xi64>, %b = %wte : tensor<11x8xf32>) -> tensor<?x?x8xf32> {
    %e = block.embedding %a in %b : (tensor<?x?xi64>, tensor<11x8xf32>) -> tensor<?x?x8xf32>
    block.yield %e : tensor<?x?x8xf32>
  }
  %y = block.layer "h.0" at 0 -> tensor<?x?x8xf32> {
    %s = block.kernel "sdpa" (%q = %x : tensor<?x?x8xf32>, %l = %n : tensor<?xi64>) -> tensor<?x?x8xf32> {
      %p = block.sdpa %q, %q, %q lengths %l {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
      block.yield %p : tensor<?x?x8xf32>
    }
    %r = block.kernel "linear" (%i = %s : tensor<?x?x8xf32>, %j = %w : tensor<8x8xf32>, %k = %x : tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
      %o = block.linear %i, %j : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
      %z = block.residual %k, %o : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
      block.yield %z : tensor<?x?x8xf32>
    }
    block.yield %r : tensor<?x?x8xf32>
  }
  return %y, %ids, %n : tensor<?x?x8xf32>, tensor<?x?xi64>, tensor<?xi64>
}
