// Each reason why gradients by weights stay apart; nothing is rewritten.
// RUN: block-opt %s --block-fuse-weight-grads -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q extract_slice %t

// CHECK-NOT: [Passed]

// different-element-types
func.func @results(%x: tensor<2x5x8xbf16>, %dy: tensor<2x5x4xbf16>, %dz: tensor<2x5x4xbf16>) -> (tensor<4x8xf32>, tensor<4x8xbf16>) {
  %a = block.weight_grad(%dy) of(%x) : tensor<2x5x4xbf16>, tensor<2x5x8xbf16>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.weight_grad | Category:block-fuse-weight-grads | Function=results | Reason="different-element-types: another gradient of the same operand has another element type"
  %b = block.weight_grad(%dz) of(%x) : tensor<2x5x4xbf16>, tensor<2x5x8xbf16> -> tensor<4x8xbf16>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xbf16>
}

// One that depends on the other waits for it, and what shares nothing stays.
func.func @chain(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %z: tensor<2x5x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %a = block.weight_grad(%dy) of(%x) : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  %l = block.linear %dy, %a : tensor<2x5x8xf32>
  %b = block.weight_grad(%l) of(%x) : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  %c = block.weight_grad(%z) of(%dy) : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  %d = arith.addf %b, %c : tensor<8x8xf32>
  return %a, %d : tensor<8x8xf32>, tensor<8x8xf32>
}
// CHECK-NOT: [Passed]
