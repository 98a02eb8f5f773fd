// A block without skip, value and output matrices, for the documentation of the pass.
// RUN: block-opt %s --block-simplify="form=sas-p" | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %arg1: tensor<8xf32> {block.init = #block.init<kind = constant, mean = 1.0>, block.param = "norm_1.weight"}
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.init = #block.init<kind = constant, mean = 0.0>, block.param = "q.weight"}
// CHECK-NEXT: %arg3: tensor<8x8xf32> {block.param = "k.weight"}
// CHECK-NEXT: block.param = "up.weight"
// CHECK-NEXT: block.param = "down.weight"
// CHECK-NEXT: block.param = "h.0.attn.v.delta"
// CHECK-NEXT: block.param = "h.0.attn.attn_mat_skip_gain"
// CHECK-NEXT: block.param = "h.0.attn.attn_mat_resid_gain"
// CHECK-NEXT: block.param = "h.0.attn.centre_attn_gain"
// CHECK-NEXT: %arg10: tensor<1xf32> {block.init = #block.init<kind = constant, mean = 0.1>, block.param = "h.0.mlp_block_resid_gain"}
// CHECK: block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes
// CHECK-NEXT: {approx = #block.approx<pass = "block-simplify", parameters = "form=sas-p", measured = "unmeasured">
// CHECK: %[[N:.*]] = block.norm %arg0
// CHECK: %[[V:.*]] = block.reparam
// CHECK: %[[A:.*]] = block.attention %[[N]] q %{{.*}} k %{{.*}} v %[[V]] alpha %{{.*}} beta %{{.*}} gamma
// CHECK: %[[M:.*]] = block.mlp %[[N]]
// CHECK: %[[S:.*]] = block.scale %[[M]]
// CHECK: block.residual %arg0, %[[A]], %[[S]] {input_scale = 0.0}
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %g1: tensor<8xf32> {block.param = "norm_1.weight"},
    %g2: tensor<8xf32> {block.param = "norm_2.weight"},
    %q: tensor<8x8xf32> {block.param = "q.weight"},
    %k: tensor<8x8xf32> {block.param = "k.weight"},
    %v: tensor<8x8xf32> {block.param = "v.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %n1 = block.norm %x gamma %g1 {form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
    %a = block.attention %n1 q %q k %k v %v o %o
        {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
        : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
    %h = block.residual %x, %a : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %n2 = block.norm %h gamma %g2 {form = #block.norm<kind = rms, eps = 1.0e-6>}
        : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
    %m = block.mlp %n2 up %up down %down {activation = #block.activation<silu>}
        : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
    %z = block.residual %h, %m : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
