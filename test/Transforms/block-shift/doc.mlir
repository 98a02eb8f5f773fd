// An MLP and the attention behind it in one layer, for the documentation of the pass.
// RUN: block-opt %s --block-shift | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = block.layer "h.0" at 0
// CHECK-NEXT: block.attention %arg0
// CHECK-NEXT: : tensor<1x5x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: %[[H:.*]] = block.residual %arg0,
// CHECK-NEXT: block.yield %[[H]]
// CHECK: %[[PAIR:.*]] = block.layer "h.0+" at 0 -> tensor<1x5x8xf32>
// CHECK: %[[M:.*]] = block.mlp %[[A]]
// CHECK-NEXT: %[[Y:.*]] = block.residual %[[A]], %[[M]]
// CHECK-NEXT: %[[A1:.*]] = block.attention %[[Y]]
// CHECK-NEXT: : tensor<1x5x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: %[[H1:.*]] = block.residual %[[Y]], %[[A1]]
// CHECK-NEXT: block.yield %[[H1]]
// CHECK: block.layer "h.1" at 1
// CHECK-NEXT: block.mlp %[[PAIR]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %w: tensor<8x8xf32> {block.param = "attn.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %y0 = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %a = block.attention %x q %w k %w v %w o %w
        {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
        : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
    %h = block.residual %x, %a : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %m = block.mlp %h up %up down %down {activation = #block.activation<silu>}
        : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
    %z = block.residual %h, %m : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  %y1 = block.layer "h.1" at 1 -> tensor<1x5x8xf32> {
    %a = block.attention %y0 q %w k %w v %w o %w
        {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
        : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
    %h = block.residual %y0, %a : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %m = block.mlp %h up %up down %down {activation = #block.activation<silu>}
        : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
    %z = block.residual %h, %m : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y1 : tensor<1x5x8xf32>
}
