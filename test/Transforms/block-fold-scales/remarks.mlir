// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-fold-scales -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-fold-scales -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-fold-scales |
// NONE-SAME: Remark="found no scale of a branch"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.scale | Category:block-fold-scales | Function=main | Remark="folded into the projection's rows", factor=2
  %b = block.scale %a {factor = 2.0 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.linear | Category:block-fold-scales | Function=main | Remark="branch scale folded into the projection's rows", factor=3
  %c = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %y = block.residual %x, %b, %c {branch_scales = [1.0, 3.0]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
