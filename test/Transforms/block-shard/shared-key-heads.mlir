// A key head that several ranks have counts once where its columns are put together: for
// whoever calls, for a norm of whole keys, and behind a merged projection.
// RUN: block-opt %s --block-shard="ranks=4" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --ranks=4 --seed=1 --baseline=%s | FileCheck %s
// RUN: block-opt %s --block-optimize --block-shard="ranks=4" -o %t.kernels.mlir
// RUN: block-run %t.kernels.mlir --engine=reference --ranks=4 --seed=1 --baseline=%s | FileCheck %s
// CHECK: PASS hidden_states
// CHECK: PASS keys
// CHECK: PASS merged
func.func @main(
    %x: tensor<1x4x8xf32> {block.input = "hidden_states"},
    %q: tensor<8x8xf32> {block.param = "q.weight"}, %k: tensor<4x8xf32> {block.param = "k.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"}, %m: tensor<12x8xf32> {block.param = "m.weight"})
    -> (tensor<1x4x8xf32> {block.output = "hidden_states"}, tensor<1x4x4xf32> {block.output = "keys"},
        tensor<1x4x12xf32> {block.output = "merged"}) {
  %0 = block.linear %x, %q : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %1 = block.linear %x, %k : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x4xf32>
  %2 = block.norm_stats %1 : (tensor<1x4x4xf32>) -> tensor<1x4x1xf32>
  %3 = block.normalize %1 moment %2 {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x4x4xf32>, tensor<1x4x1xf32>) -> tensor<1x4x4xf32>
  %4 = block.sdpa %0, %3, %1 {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x4x8xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x8xf32>
  %5 = block.linear %4, %o : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %6 = block.linear %5, %m : (tensor<1x4x8xf32>, tensor<12x8xf32>) -> tensor<1x4x12xf32>
  %7:3 = block.split %6 : (tensor<1x4x12xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>)
  %8 = block.sdpa %7#0, %7#1, %7#2 {heads = 4 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x8xf32>
  %9 = block.linear %8, %o : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  return %9, %1, %6 : tensor<1x4x8xf32>, tensor<1x4x4xf32>, tensor<1x4x12xf32>
}
