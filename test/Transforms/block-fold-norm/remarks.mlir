// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-fold-norm -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-fold-norm -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-fold-norm |
// NONE-SAME: Remark="found no norm over a row"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.normalize | Category:block-fold-norm | Function=main | Remark="folded into the projections that read it", projections=2
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %y = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
