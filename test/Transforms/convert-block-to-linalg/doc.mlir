// A projection and its activation, for the documentation of the pass.
// RUN: block-opt %s --convert-block-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
// CHECK: %[[W:.*]] = linalg.transpose ins(%arg1 : tensor<32x16xf32>) outs(%{{.*}} : tensor<16x32xf32>) permutation = [1, 0]
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[P:.*]] = linalg.matmul ins(%[[ROWS]], %[[W]] : tensor<16x16xf32>, tensor<16x32xf32>) outs(%[[ZERO]] : tensor<16x32xf32>)
// CHECK: %[[B:.*]] = tensor.expand_shape %arg2 {{\[\[}}0, 1]] output_shape [1, 32]
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-NEXT: ins(%[[P]], %[[B]] :
// CHECK: arith.addf
// CHECK: %[[Y:.*]] = tensor.expand_shape %[[SUM]] {{\[\[}}0, 1], [2]] output_shape [2, 8, 32]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<2x8x32xf32>)
// CHECK: arith.maximumf
// CHECK: return %[[R]]
func.func @main(
    %x: tensor<2x8x16xf32> {block.input = "hidden_states"},
    %w: tensor<32x16xf32> {block.param = "up.weight"},
    %b: tensor<32xf32> {block.param = "up.bias"}) -> tensor<2x8x32xf32> {
  %0 = block.linear %x, %w bias %b : (tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
  %1 = block.activation %0 {kind = #block.activation<relu>} : tensor<2x8x32xf32>
  return %1 : tensor<2x8x32xf32>
}
