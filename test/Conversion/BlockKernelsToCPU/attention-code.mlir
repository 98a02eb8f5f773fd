// The code of causal attention of two heads of width 4, as the engine compiles it for vectors of four f32: eight queries at a
// time, whose scores lie beside each other, 128 keys at a time, with a softmax that is corrected as its maximum grows.
// RUN: block-opt %s --convert-block-kernels-to-cpu=cpu=x86-64 --canonicalize --cse | FileCheck %s

// CHECK: plan.launch @kernels::@sdpa_0(%q, %k, %v) -> (%y) dims [1, 4, 4, 0] items 2 x [1] x [4] by 8 scratch
// CHECK: func.func @sdpa_0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// An item is a head and eight queries or fewer; the last key that one of them sees is the end of the keys.
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1_i64
// CHECK: %[[QUERIES:.*]] = arith.minsi %{{.*}}, %c8_i64 : i64
// CHECK: %[[KEYS:.*]] = arith.minsi %[[GIVEN:.*]], %[[LAST:.*]] : i64
// CHECK: scf.for %[[KEY:.*]] = %c0_i64 to %[[KEYS]] step %c128_i64
// CHECK: %[[COUNT:.*]] = arith.minsi %{{.*}}, %c128_i64 : i64
// Scores of four keys by eight queries, over the depth of a head.
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[COUNT]] step %c4_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64
// CHECK: %[[LANES:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[LANES]], %{{.*}} : vector<4xf32>
// CHECK-NEXT: arith.addf %[[PRODUCT]], %{{.*}} : vector<4xf32>
// Each score is scaled; a key behind its query has the lowest one; the maximum is carried on.
// CHECK: scf.for %[[ONE:.*]] = %c0_i64 to %[[COUNT]] step %c1_i64 iter_args(%[[MAXIMUM:[^ ]*]] = %
// CHECK: %[[POSITION:.*]] = arith.addi %[[KEY]], %[[ONE]]
// CHECK: %[[SCORE:.*]] = arith.mulf %{{.*}}, %cst_{{.*}} : vector<4xf32>
// CHECK: arith.trunci %[[POSITION]] : i64 to i32
// CHECK-NEXT: %[[PLACES:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
// CHECK-NEXT: %[[SEEN:.*]] = arith.cmpi slt, %[[PLACES]], %{{.*}} : vector<4xi32>
// CHECK-NEXT: %[[MASKED:.*]] = arith.select %[[SEEN]], %[[SCORE]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK-NEXT: llvm.store %[[MASKED]]
// CHECK-NEXT: %[[GROWS:.*]] = arith.cmpf olt, %[[MAXIMUM]], %[[MASKED]] : vector<4xf32>
// CHECK-NEXT: arith.select %[[GROWS]], %[[MASKED]], %[[MAXIMUM]] : vector<4xi1>, vector<4xf32>
// What is summed up was relative to the maximum before; exponentials are 0 where the key is not seen.
// CHECK: arith.subf %[[OLDER:.*]], %[[NEWER:.*]]#0 : vector<4xf32>
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[COUNT]] step %c1_i64 iter_args(%[[SUM:[^ ]*]] = %
// CHECK: arith.cmpi slt, %{{.*}} : vector<4xi32>
// CHECK-NEXT: %[[SHARE:.*]] = arith.select %[[VISIBLE:.*]], %[[EXPONENTIAL:.*]], %[[ZERO:.*]] : vector<4xi1>, vector<4xf32>
// CHECK: arith.addf %[[SUM]], %[[SHARE]] : vector<4xf32>
// CHECK: scf.yield
// CHECK: %[[OLD:.*]] = llvm.load %{{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[CORRECTION:.*]] = llvm.load %{{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[BEFORE:.*]] = arith.mulf %[[OLD]], %[[CORRECTION]] : vector<4xf32>
// CHECK-NEXT: arith.addf %[[BEFORE]], %{{.*}}#0 : vector<4xf32>
// Rows of values, times these, and at the end each query's row by the sum, or by 0 where no key is seen,
// and by NaN where the sum is.
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[QUERIES]] step %c4_i64
// CHECK: vector.reduction <add>
// CHECK: %[[TOTAL:[0-9]+]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf olt, %[[NONE:.*]], %[[TOTAL]] : f32
// CHECK-NEXT: %[[QUOTIENT:.*]] = arith.divf %{{.*}}, %[[TOTAL]] : f32
// CHECK-NEXT: arith.select %[[IS]], %[[QUOTIENT]], %[[TOTAL]] : f32
func.func @main(%q: tensor<1x4x8xf32> {block.input = "q"}, %k: tensor<1x4x8xf32> {block.input = "k"}, %v: tensor<1x4x8xf32> {block.input = "v"}) -> (tensor<1x4x8xf32> {block.output = "y"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x4x8xf32>, %b = %k : tensor<1x4x8xf32>, %c = %v : tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
    %1 = block.sdpa %a, %b, %c {heads = 2, scores = #block.scores<scale = 0.5, causal = true>} : tensor<1x4x8xf32>
    block.yield %1 : tensor<1x4x8xf32>
  }
  return %0 : tensor<1x4x8xf32>
}
