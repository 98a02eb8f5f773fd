// A parallel block made serial, for the documentation of the pass.
// RUN: block-opt %s --block-serialize | FileCheck %s

// CHECK: block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes
// CHECK-NEXT: {approx = #block.approx<pass = "block-serialize", parameters = "", measured = "unmeasured">
// CHECK: %[[N:.*]] = block.norm %arg0
// CHECK: %[[A:.*]] = block.attention %[[N]]
// CHECK: %[[H:.*]] = block.residual %arg0, %[[A]] {branch_scales = [0.5]}
// CHECK: %[[N2:.*]] = block.norm %[[H]]
// CHECK: %[[M:.*]] = block.mlp %[[N2]]
// CHECK: %[[Y:.*]] = block.residual %[[H]], %[[M]] {branch_scales = [0.25]}
// CHECK: block.yield %[[Y]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %g: tensor<8xf32> {block.param = "norm.weight"},
    %w: tensor<8x8xf32> {block.param = "attn.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %n = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
    %a = block.attention %n q %w k %w v %w o %w
        {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
        : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
    %m = block.mlp %n up %up down %down {activation = #block.activation<silu>}
        : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
    %z = block.residual %x, %a, %m {branch_scales = [0.5, 0.25]} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
