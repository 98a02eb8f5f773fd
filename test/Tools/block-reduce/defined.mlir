// What a reduced model returns has defined elements: neither a layer nor an op is
// replaced by a tensor that only waits for its elements.
// RUN: block-reduce %s --test=%S/Inputs/returns.sh -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.layer
// CHECK: %[[LEFT:.*]] = tensor.insert_slice
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %{{.*}} into %[[LEFT]]
// CHECK: return %[[BOTH]]
func.func @main(%half: tensor<1x4x4xf32>) -> tensor<1x4x8xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<1x4x8xf32>
  %left = tensor.insert_slice %half into %empty[0, 0, 0] [1, 4, 4] [1, 1, 1]
    : tensor<1x4x4xf32> into tensor<1x4x8xf32>
  %both = tensor.insert_slice %half into %left[0, 0, 4] [1, 4, 4] [1, 1, 1]
    : tensor<1x4x4xf32> into tensor<1x4x8xf32>
  %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
    %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %sum = block.residual %both, %ones : tensor<1x4x8xf32>
    block.yield %sum : tensor<1x4x8xf32>
  }
  return %y : tensor<1x4x8xf32>
}
