// Each reason why the branches of a residual stay apart; nothing is rewritten.
// RUN: block-opt %s --block-fuse-output-projections -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q linear_sum %t

// CHECK-NOT: [Passed]

// post-norm
func.func @post_norm(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %s = block.norm_stats %b : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %n = block.normalize %b moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=post_norm | Reason="post-norm: a branch is normalised before the sum"
  %y = block.residual %x, %a, %n : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// single-branch
func.func @single_branch(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=single_branch | Reason="single-branch: the residual has one branch", branches=1
  %y = block.residual %x, %a : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// branch-is-not-a-projection
func.func @not_a_projection(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.activation %x {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=not_a_projection | Reason="branch-is-not-a-projection: branch 1 is not a projection"
  %y = block.residual %x, %a, %b : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// second-user
func.func @second_user(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=second_user | Reason="second-user: branch 1 is read elsewhere too"
  %y = block.residual %x, %a, %b : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y, %b : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// different-element-types
func.func @element_types(%x: tensor<2x5x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<2x5x8xbf16> {
  %a = block.linear %x, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xbf16>
  %b = block.linear %x, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=element_types | Reason="different-element-types: branch 1 has another element type"
  %y = block.residual %x, %a, %b : (tensor<2x5x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x8xf32>) -> tensor<2x5x8xbf16>
  return %y : tensor<2x5x8xbf16>
}

// different-branch-scales
func.func @scales(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fuse-output-projections | Function=scales | Reason="different-branch-scales: branch 1 is scaled differently; block-fold-scales first", first_scale=1, scale=5.000000e-01
  %y = block.residual %x, %a, %b {branch_scales = [1.0, 0.5]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
// CHECK-NOT: [Passed]
