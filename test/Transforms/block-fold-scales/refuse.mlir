// Each reason why a scale stays where it is; nothing is rewritten. Scales come first,
// then residuals, then scores.
// RUN: block-opt %s --block-fold-scales="score-scale=true" -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q fold_scale %t

// CHECK-NOT: [Passed]

// branch-is-not-a-projection
func.func @not_a_projection(%x: tensor<2x5x8xf32>, %a: tensor<2x5x8xf32>, %gain: tensor<8xf32>) -> tensor<2x5x8xf32> {
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.scale | Category:block-fold-scales | Function=not_a_projection | Reason="branch-is-not-a-projection: the scaled value is not a projection"
  %b = block.scale %a by %gain : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fold-scales | Function=not_a_projection | Reason="branch-is-not-a-projection: branch 1 is scaled unlike the others"
  %y = block.residual %x, %b, %a {branch_scales = [1.0, 0.5]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// second-user
func.func @second_user(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %gain: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.scale | Category:block-fold-scales | Function=second_user | Reason="second-user: the projection is also read unscaled"
  %b = block.scale %a by %gain : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.residual | Category:block-fold-scales | Function=second_user | Reason="second-user: branch 1 is scaled unlike the others"
  %y = block.residual %x, %b, %a {branch_scales = [1.0, 0.5]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// The scale of scores: branch-is-not-a-projection
func.func @normalised_query(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %s = block.norm_stats %q {groups = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  %n = block.normalize %q moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>, groups = 2 : i64} : (tensor<2x5x8xf32>, tensor<2x5x2xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.sdpa | Category:block-fold-scales | Function=normalised_query | Reason="branch-is-not-a-projection: the query is not a plain or rotated projection"
  %a = block.sdpa %n, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// The scale of scores: second-user
func.func @shared_query(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.sdpa | Category:block-fold-scales | Function=shared_query | Reason="second-user: the query projection is read elsewhere too"
  %a = block.sdpa %q, %q, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// The scale of scores: score-bias-is-scaled (the ALiBi of Falcon)
func.func @scaled_bias(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK-DAG: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.sdpa | Category:block-fold-scales | Function=scaled_bias | Reason="score-bias-is-scaled: the bias of the scores is scaled with them"
  %a = block.sdpa %q, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, alibi_max = 8.0, order = bias_scale_cap>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}
// CHECK-NOT: [Passed]
