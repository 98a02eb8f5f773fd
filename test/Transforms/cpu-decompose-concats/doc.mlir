// A concatenation is insertions into an empty tensor.
// RUN: block-opt %s --cpu-decompose-concats | FileCheck %s
// CHECK: tensor.empty
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT: tensor.concat
func.func @f(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
