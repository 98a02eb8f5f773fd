// Queries and keys that given tables rotate are split over ranks like others: every rank
// has the tables as a whole.
// RUN: block-opt %s --block-shard="ranks=2" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --ranks=2 --seed=3 --baseline=%s | FileCheck %s --check-prefix=PASSES
// RUN: block-opt %s --block-shard="ranks=2 sequence-parallel=true" -o %t.rows.mlir
// RUN: block-run %t.rows.mlir --engine=reference --ranks=2 --seed=3 --baseline=%s | FileCheck %s --check-prefix=PASSES
// RUN: block-opt %s --block-optimize --block-shard="ranks=2" -o %t.kernels.mlir
// RUN: block-run %t.kernels.mlir --engine=reference --ranks=2 --seed=3 --baseline=%s | FileCheck %s --check-prefix=PASSES
// Nothing of it is said to be whole on every rank.
// RUN: block-opt %s --block-shard="ranks=2" -o /dev/null --remarks-filter='block-shard' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed
// REMARK: remark: [Passed]
// PASSES: PASS hidden_states

// CHECK: block.linear %arg0, %{{.*}} : tensor<8x4x8xf32> -> tensor<8x4x4xf32>
// CHECK: block.rotate %{{.*}}, %arg{{[0-9]+}}, %arg{{[0-9]+}} {dim = 4, heads = 1
// The constant table stands for all heads, though there are as many batch rows as columns.
// CHECK: block.rotate %{{.*}}, %cst{{.*}}, %cst{{.*}} {dim = 4, heads = 1
// CHECK: block.sdpa {{.*}}heads = 1, scores
func.func @main(
    %x: tensor<8x4x8xf32> {block.input = "hidden_states"},
    %c: tensor<1x4x2xf32> {block.input = "cos"}, %s: tensor<1x4x2xf32> {block.input = "sin"},
    %q: tensor<8x8xf32> {block.param = "q.weight"}, %k: tensor<8x8xf32> {block.param = "k.weight"},
    %v: tensor<8x8xf32> {block.param = "v.weight"}, %o: tensor<8x8xf32> {block.param = "o.weight"})
    -> (tensor<8x4x8xf32> {block.output = "hidden_states"}) {
  %t = arith.constant dense<0.25> : tensor<8x4x4xf32>
  %y = block.layer "h.0" at 0 -> tensor<8x4x8xf32> {
    %0 = block.linear %x, %q : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %1 = block.rotate %0, %c, %s {heads = 2 : i64, dim = 4 : i64, style = #block.rope_style<half>} : (tensor<8x4x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<8x4x8xf32>
    %2 = block.linear %x, %k : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %3 = block.rotate %2, %t, %t {heads = 2 : i64, dim = 4 : i64, style = #block.rope_style<interleaved>} : (tensor<8x4x8xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x8xf32>
    %4 = block.linear %x, %v : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %5 = block.sdpa %1, %3, %4 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<8x4x8xf32>, tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %6 = block.linear %5, %o : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %7 = block.residual %x, %6 : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    block.yield %7 : tensor<8x4x8xf32>
  }
  return %y : tensor<8x4x8xf32>
}
