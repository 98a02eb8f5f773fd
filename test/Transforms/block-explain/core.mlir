// An attention without its projections, as block-raise leaves one of caches, is one before and after rewrites; rows that caches are given are none.
// RUN: block-opt %s --block-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: block-opt %s --block-expand --block-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: block-opt %s --block-optimize --block-explain -o /dev/null 2>&1 | FileCheck %s
// CHECK: recognised 1 attention, 0 mlp, 1 norm in 1 layer
func.func @main(%x: tensor<2x1x8xf32> {block.input = "x"}, %cache: tensor<2x6x8xf32> {block.input = "past"}, %lengths: tensor<2xi64> {block.input = "past_lengths"})
    -> (tensor<2x1x8xf32> {block.output = "y"}, tensor<2x6x8xf32> {block.output = "cache"}) {
  %y:2 = block.layer "h.0" at 0 -> tensor<2x1x8xf32>, tensor<2x6x8xf32> {
    %n = block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x1x8xf32>
    %rows = block.cache_append %cache, %n at %lengths : tensor<2x6x8xf32>, tensor<2x1x8xf32>
    %a = block.sdpa %n, %rows, %rows past_lengths %lengths {heads = 2, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x1x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>, tensor<2xi64>) -> tensor<2x1x8xf32>
    block.yield %a, %rows : tensor<2x1x8xf32>, tensor<2x6x8xf32>
  }
  return %y#0, %y#1 : tensor<2x1x8xf32>, tensor<2x6x8xf32>
}
