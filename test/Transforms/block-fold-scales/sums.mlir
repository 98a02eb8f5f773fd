// A branch that is a sum with a projection becomes its branches: routed experts stay one, scaled, and projections merge.
// RUN: block-opt %s --split-input-file --block-fold-scales -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// RUN: block-opt %t --split-input-file --block-fold-scales -o %t.twice
// RUN: cmp %t %t.twice
// RUN: block-opt %t --split-input-file --block-fuse-output-projections -o %t.merged && FileCheck %s --check-prefix=MERGED --input-file=%t.merged
// RUN: block-opt %t.merged --split-input-file --block-fuse-output-projections -o %t.again && cmp %t.merged %t.again

// CHECK-LABEL: func.func @average
// CHECK: %[[HALF:.*]] = block.fold_scale %arg4 {factor = 1.5}
// CHECK: %[[SHARED:.*]] = block.linear %arg0, %[[HALF]]
// CHECK: %[[ROUTED:.*]] = block.experts
// CHECK: block.residual %arg0, %{{.*}}, %[[ROUTED]], %[[SHARED]] {branch_scales = [1.0, 0.25, 1.0]} :
// REMARK: [Passed] block.residual | Category:block-fold-scales | Function=average | Remark="sums of branches joined", branches=3
// REMARK-NOT: [Missed]
// MERGED-LABEL: func.func @average
// MERGED: %[[ROUTED:.*]] = block.experts
// MERGED: %[[SUM:.*]] = block.linear_sum
// MERGED: block.residual %arg0, %[[SUM]], %[[ROUTED]] {branch_scales = [1.0, 0.25]} :
func.func @average(%x: tensor<1x5x8xf32>, %i: tensor<1x5x2xi64>, %w: tensor<1x5x2xf32>, %o: tensor<8x8xf32>, %s: tensor<8x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) -> tensor<1x5x8xf32> {
  %a = block.linear %x, %o : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %b = block.linear %x, %s : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %e = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %m = block.residual %e, %b {input_scale = 0.5, branch_scales = [3.0]} : tensor<1x5x8xf32>
  %y = block.residual %x, %a, %m {branch_scales = [1.0, 0.5]} : tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}

// -----

// Without another projection, and with a second reader, a sum stays.
// CHECK-LABEL: func.func @alone
// CHECK-COUNT-2: block.residual
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: block.residual
func.func @alone(%x: tensor<1x5x8xf32>, %s: tensor<8x8xf32>) -> tensor<1x5x8xf32> {
  %a = block.activation %x {kind = #block.activation<tanh>} : tensor<1x5x8xf32>
  %b = block.linear %x, %s : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %m = block.residual %a, %b : tensor<1x5x8xf32>
  %y = block.residual %x, %m : tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}
func.func @twice(%x: tensor<1x5x8xf32>, %s: tensor<8x8xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %a = block.linear %x, %s : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %b = block.linear %x, %s : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %m = block.residual %x, %b : tensor<1x5x8xf32>
  %y = block.residual %x, %a, %m : tensor<1x5x8xf32>
  return %y, %m : tensor<1x5x8xf32>, tensor<1x5x8xf32>
}
