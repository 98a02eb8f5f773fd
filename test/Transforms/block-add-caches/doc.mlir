// A layer whose attention reads a cache, for the documentation of the pass.
// RUN: block-opt %s --block-add-caches | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[CK:.*]]: tensor<1x?x4xf32> {block.dims = ["past"], block.input = "past_key.0"}
// CHECK: %[[P:.*]] = arith.subi %[[N:.*]], %[[S:.*]] : tensor<1xi64>
// CHECK: %[[L:.*]]:3 = block.layer "h.0" at 0 -> tensor<1x?x4xf32>, tensor<1x?x4xf32>, tensor<1x?x4xf32> {
// CHECK: %[[Q:.*]] = block.rope %{{.*}} offset %[[P]]
// CHECK: %[[K:.*]] = block.rope %{{.*}} offset %[[P]]
// CHECK: %[[KEYS:.*]] = block.cache_append %[[CK]], %[[K]] at %[[N]]
// CHECK: %[[VALUES:.*]] = block.cache_append %{{.*}}, %{{.*}} at %[[N]]
// CHECK: block.sdpa %[[Q]], %[[KEYS]], %[[VALUES]] past_lengths %[[N]] starts %[[S]]
// CHECK: return %[[L]]#0, %[[L]]#1, %[[L]]#2
func.func @main(
    %x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %q: tensor<4x4xf32> {block.param = "q.weight"},
    %k: tensor<4x4xf32> {block.param = "k.weight"},
    %v: tensor<4x4xf32> {block.param = "v.weight"}) -> (tensor<1x?x4xf32> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x?x4xf32> {
    %a = block.attention %x q %q k %k v %v
        {heads = 2, rope = #block.rope<style = half, dim = 2>, scores = #block.scores<scale = 0.7, causal = true>}
        : tensor<1x?x4xf32>, tensor<4x4xf32>
    %r = block.residual %x, %a : tensor<1x?x4xf32>
    block.yield %r : tensor<1x?x4xf32>
  }
  return %y : tensor<1x?x4xf32>
}
