// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-fuse-input-projections -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-fuse-input-projections -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-fuse-input-projections |
// NONE-SAME: Remark="found no value that several projections read"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.split | Category:block-fuse-input-projections | Function=main | Remark="projections of one value merged", projections=2, width=16
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %y = block.residual %a, %b : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
