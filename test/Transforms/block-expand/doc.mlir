// The steps of a block's first half, for the documentation of the pass.
// RUN: block-opt %s --block-expand | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg8: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
// CHECK-NEXT: %[[STATS:.*]] = block.norm_stats %arg0 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[N:.*]] = block.normalize %arg0 moment %[[STATS]] gamma %arg1 {form = #block.norm<kind = rms, eps = 1.0e-06>}
// CHECK-NEXT: %[[Q:.*]] = block.linear %[[N]], %arg2 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[K:.*]] = block.linear %[[N]], %arg3 : tensor<1x5x8xf32> -> tensor<1x5x4xf32>
// CHECK-NEXT: %[[V:.*]] = block.linear %[[N]], %arg4 : tensor<1x5x8xf32> -> tensor<1x5x4xf32>
// CHECK-NEXT: %[[QR:.*]] = block.rope %[[Q]] {form = #block.rope<style = half, dim = 4>, heads = 2}
// CHECK-NEXT: %[[KR:.*]] = block.rope %[[K]] {form = #block.rope<style = half, dim = 4>, heads = 1}
// CHECK-NEXT: %[[A:.*]] = block.sdpa %[[QR]], %[[KR]], %[[V]] {heads = 2, kv_heads = 1, scores = #block.scores<scale = 0.5, causal = true>}
// CHECK-NEXT: %[[O:.*]] = block.linear %[[A]], %arg5 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[H:.*]] = block.residual %arg0, %[[O]]
// CHECK-NEXT: %[[UP:.*]] = block.linear %[[H]], %arg6 : tensor<1x5x8xf32> -> tensor<1x5x16xf32>
// CHECK-NEXT: %[[GATE:.*]] = block.linear %[[H]], %arg7 : tensor<1x5x8xf32> -> tensor<1x5x16xf32>
// CHECK-NEXT: %[[ACT:.*]] = block.gate %[[GATE]], %[[UP]] {kind = #block.activation<silu>} : tensor<1x5x16xf32>
// CHECK-NEXT: %[[DOWN:.*]] = block.linear %[[ACT]], %arg8 : tensor<1x5x16xf32> -> tensor<1x5x8xf32>
// CHECK-NEXT: return %[[DOWN]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %gain: tensor<8xf32> {block.param = "norm.weight"},
    %q: tensor<8x8xf32> {block.param = "q.weight"},
    %k: tensor<4x8xf32> {block.param = "k.weight"},
    %v: tensor<4x8xf32> {block.param = "v.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %gate: tensor<16x8xf32> {block.param = "gate.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %n = block.norm %x gamma %gain {form = #block.norm<kind = rms, eps = 1.0e-6>}
      : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %a = block.attention %n q %q k %k v %v o %o
      {heads = 2 : i64, kv_heads = 1 : i64, rope = #block.rope<style = half, dim = 4>,
       scores = #block.scores<scale = 0.5, causal = true>}
      : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %h = block.residual %x, %a : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %m = block.mlp %h up %up gate %gate down %down {activation = #block.activation<silu>}
      : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
  return %m : tensor<1x5x8xf32>
}
