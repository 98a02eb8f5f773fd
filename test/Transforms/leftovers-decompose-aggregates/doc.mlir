// A softmax is a maximum, differences, a sum and quotients.
// RUN: block-opt %s --leftovers-decompose-aggregates | FileCheck %s
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax
func.func @f(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %empty = tensor.empty() : tensor<2x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%empty : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
