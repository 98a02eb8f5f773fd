// What was rewritten, with its numbers; and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-form-kernels -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: echo "func.func @main() { return }" | block-opt --block-form-kernels -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-form-kernels |
// NONE-SAME: Remark="found no step to form a kernel of"

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  // CHECK: remarks.mlir:[[@LINE+4]]:10: remark: [Passed] block.kernel | Category:block-form-kernels | Function=main | Remark="2 steps in one launch", bytes_saved=640, launches=1, launches_saved=0
  // CHECK: remarks.mlir:[[@LINE+5]]:10: remark: [Passed] block.kernel | Category:block-form-kernels | Function=main | Remark="1 step in one launch", bytes_saved=0, launches=1, launches_saved=0
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.layer | Category:block-form-kernels | Function=main | Remark="steps grouped into kernels", bytes_saved=640, launches=2, launches_saved=0
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %b = block.activation %a {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
    %c = block.linear %b, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    block.yield %c : tensor<2x5x8xf32>
  }
  return %y : tensor<2x5x8xf32>
}
