// A layer as it is trained, for the documentation of the pass.
// RUN: block-opt %s --block-add-dropout="attention=0.2 branches=0.1" | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[S:.*]]: tensor<1xi64> {block.input = "dropout_seed"}
// CHECK: %[[A:.*]] = block.attention %{{.*}} seed %[[S]]
// CHECK-NEXT: {dropout = #block.dropout<rate = 0.2>
// CHECK: %[[D:.*]] = block.dropout %[[A]] seed %[[S]] {form = #block.dropout<rate = 0.1, site = 1>}
// CHECK: block.residual %{{.*}}, %[[D]]
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
