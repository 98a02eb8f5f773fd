// A serial block made parallel, for the documentation of the pass.
// RUN: block-opt %s --block-parallelize | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes
// CHECK-NEXT: {approx = #block.approx<pass = "block-parallelize", parameters = "norm=separate scale=1 attn-scale=1 mlp-scale=1", measured = "unmeasured">
// CHECK: %[[N1:.*]] = block.norm %arg0 gamma %arg1
// CHECK: %[[A:.*]] = block.attention %[[N1]]
// CHECK: %[[N2:.*]] = block.norm %arg0 gamma %arg2
// CHECK: %[[M:.*]] = block.mlp %[[N2]]
// CHECK: %[[Y:.*]] = block.residual %arg0, %[[A]], %[[M]] :
// CHECK: block.yield %[[Y]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %g1: tensor<8xf32> {block.param = "norm_1.weight"},
    %g2: tensor<8xf32> {block.param = "norm_2.weight"},
    %w: tensor<8x8xf32> {block.param = "attn.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %n1 = block.norm %x gamma %g1 {form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
    %a = block.attention %n1 q %w k %w v %w o %w
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
