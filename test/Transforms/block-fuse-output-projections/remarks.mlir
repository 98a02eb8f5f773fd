// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-fuse-output-projections -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-fuse-output-projections -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-fuse-output-projections |
// NONE-SAME: Remark="found no residual"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %b = block.linear %a, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %c = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.residual | Category:block-fuse-output-projections | Function=main | Remark="projections of one sum merged", projections=2
  %y = block.residual %x, %b, %c : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
