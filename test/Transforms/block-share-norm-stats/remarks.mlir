// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-share-norm-stats -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-share-norm-stats -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-share-norm-stats |
// NONE-SAME: Remark="found no two norms of one value"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.norm_stats | Category:block-share-norm-stats | Function=main | Remark="two norms of one value share their statistics"
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // Of heads, and about the mean: statistics of their own.
  %h = block.norm_stats %x {groups = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  %c:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %t = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %y = block.normalize %x moment %t {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
