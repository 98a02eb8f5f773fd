// Queries and keys of one attention are rotated in one launch, by tables as by positions.
// RUN: block-opt %s --block-report -o /dev/null 2>&1 | FileCheck %s
// CHECK: launches {{ *}}4
func.func @main(
    %x: tensor<1x4x8xf32> {block.input = "hidden_states"},
    %c: tensor<1x4x2xf32> {block.input = "cos"}, %s: tensor<1x4x2xf32> {block.input = "sin"},
    %q: tensor<8x8xf32> {block.param = "q.weight"}, %k: tensor<8x8xf32> {block.param = "k.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"})
    -> (tensor<1x4x8xf32> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
    %0 = block.linear %x, %q : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
    %1 = block.rotate %0, %c, %s {heads = 2 : i64, dim = 4 : i64, style = #block.rope_style<half>} : (tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x8xf32>
    %2 = block.linear %x, %k : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
    %3 = block.rotate %2, %c, %s {heads = 2 : i64, dim = 4 : i64, style = #block.rope_style<half>} : (tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x8xf32>
    %5 = block.sdpa %1, %3, %2 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %6 = block.linear %5, %o : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
    %7 = block.residual %x, %6 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    block.yield %7 : tensor<1x4x8xf32>
  }
  return %y : tensor<1x4x8xf32>
}
