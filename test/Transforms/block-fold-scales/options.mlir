// score-scale also moves the scale of the scores, through rotations, into the query's
// weight and bias; relative keys (Shaw) are in the product that is scaled.
// RUN: block-opt %s --block-fold-scales | FileCheck %s --check-prefix=KEPT
// RUN: block-opt %s --block-fold-scales="score-scale=true" | FileCheck %s

// KEPT-LABEL: func.func @main(
// KEPT-NOT: block.fold_scale
// KEPT: block.sdpa {{.*}}scale = 0.25

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[W:.*]] = block.fold_scale %arg1 {factor = 0.25} : tensor<8x8xf32>{{$}}
// CHECK-NEXT: %[[B:.*]] = block.fold_scale %arg2 {factor = 0.25} : tensor<8xf32>{{$}}
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %[[W]] bias %[[B]]
// CHECK-NEXT: %[[R:.*]] = block.rope %[[Q]]
// CHECK-NEXT: block.sdpa %[[R]], %arg0, %arg0 shaw_key %arg3 {heads = 2, scores = #block.scores<scale = 1.0, causal = true, softcap = 10.0>}
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %shaw: tensor<9x4xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w bias %b : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %r = block.rope %q {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %a = block.sdpa %r, %x, %x shaw_key %shaw {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, softcap = 10.0>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<9x4xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// Tables rotate alike.
// CHECK-LABEL: func.func @tables(
// CHECK-NEXT: %[[W:.*]] = block.fold_scale %arg1 {factor = 0.25}
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %[[W]]
// CHECK-NEXT: %[[R:.*]] = block.rotate %[[Q]], %arg2, %arg2
// CHECK-NEXT: block.sdpa %[[R]], {{.*}}scale = 1.0
func.func @tables(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %t: tensor<1x5x2xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %r = block.rotate %q, %t, %t {dim = 4 : i64, heads = 2 : i64, style = #block.rope_style<half>} : (tensor<2x5x8xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<2x5x8xf32>
  %a = block.sdpa %r, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}
