// hidden.mlir with its arguments in another order and its first layer in steps.
func.func @main(
    %down: tensor<8x16xf32> {block.param = "down"},
    %n: tensor<?xi64> {block.input = "lengths", block.dims = ["batch"]},
    %up: tensor<16x8xf32> {block.param = "up"},
    %x: tensor<?x?x8xf32> {block.input = "hidden_states", block.dims = ["batch", "seq"]},
    %w: tensor<8x8xf32> {block.param = "w", block.init = #block.init<kind = normal, std = 0.5>})
    -> (tensor<?x?x8xf32> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<?x?x8xf32> {
    %q = block.linear %x, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %s = block.sdpa %q, %q, %q lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
    %a = block.linear %s, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %u = block.linear %x, %up : (tensor<?x?x8xf32>, tensor<16x8xf32>) -> tensor<?x?x16xf32>
    %v = block.activation %u {kind = #block.activation<relu>} : tensor<?x?x16xf32>
    %f = block.linear %v, %down : (tensor<?x?x16xf32>, tensor<8x16xf32>) -> tensor<?x?x8xf32>
    %r = block.residual %x, %a, %f {branch_scales = [5.000000e-01, 5.000000e-01]} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    block.yield %r : tensor<?x?x8xf32>
  }
  %z = block.layer "h.1" at 1 -> tensor<?x?x8xf32> {
    %f = block.mlp %y up %up down %down {activation = #block.activation<silu>} : (tensor<?x?x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<?x?x8xf32>
    %r = block.residual %y, %f : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    block.yield %r : tensor<?x?x8xf32>
  }
  return %z : tensor<?x?x8xf32>
}
