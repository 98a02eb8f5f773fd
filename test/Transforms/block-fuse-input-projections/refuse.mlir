// Each reason why projections of one value stay apart; nothing is rewritten.
// RUN: block-opt %s --block-fuse-input-projections -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q block.split %t

// CHECK-NOT: [Passed]

// different-element-types
func.func @results(%x: tensor<2x5x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<2x5x8xbf16>, tensor<2x5x8xf32>) {
  %a = block.linear %x, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xbf16>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.linear | Category:block-fuse-input-projections | Function=results | Reason="different-element-types: another projection of the same value has other element types"
  %b = block.linear %x, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xf32>
  return %a, %b : tensor<2x5x8xbf16>, tensor<2x5x8xf32>
}
// CHECK-NOT: [Passed]
