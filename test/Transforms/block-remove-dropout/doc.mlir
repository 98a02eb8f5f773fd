// A layer that was trained, as it is served, for the documentation of the pass.
// RUN: block-opt %s --block-remove-dropout | FileCheck %s --implicit-check-not=seed --implicit-check-not="= block.dropout"

// CHECK: %[[A:.*]] = block.attention
// CHECK: block.residual %{{.*}}, %[[A]]
func.func @main(
    %x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %q: tensor<4x4xf32> {block.param = "q.weight"},
    %k: tensor<4x4xf32> {block.param = "k.weight"},
    %v: tensor<4x4xf32> {block.param = "v.weight"},
    %s: tensor<1xi64> {block.input = "dropout_seed"}) -> (tensor<1x?x4xf32> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x?x4xf32> {
    %a = block.attention %x q %q k %k v %v seed %s
        {dropout = #block.dropout<rate = 0.2>, heads = 2, rope = #block.rope<style = half, dim = 2>,
         scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>, tensor<4x4xf32>
    %d = block.dropout %a seed %s {form = #block.dropout<rate = 0.1, site = 1>} : tensor<1x?x4xf32>
    %r = block.residual %x, %d : tensor<1x?x4xf32>
    block.yield %r : tensor<1x?x4xf32>
  }
  return %y : tensor<1x?x4xf32>
}
