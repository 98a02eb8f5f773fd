// Open sizes, several operands, any dimension; insertions stay.
// RUN: block-opt %s --cpu-decompose-concats | FileCheck %s
// CHECK-LABEL: func.func @open(
// CHECK: %[[A:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[B:.*]] = tensor.dim %arg1, %c0
// CHECK: %[[C:.*]] = tensor.dim %arg2, %c0
// CHECK: %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[C]], %[[A]], %[[B]]]
// CHECK: %[[ALL:.*]] = tensor.empty(%[[SIZE]]) : tensor<?x4xf16>
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %arg0 into %[[ALL]][0, 0] [%[[A]], 4]
// CHECK-NEXT: %[[SECOND:.*]] = tensor.insert_slice %arg1 into %[[FIRST]][%[[A]], 0]
// CHECK-NEXT: tensor.insert_slice %arg2 into %[[SECOND]]
func.func @open(%a: tensor<?x4xf16>, %b: tensor<?x4xf16>, %c: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %0 = tensor.concat dim(0) %a, %b, %c : (tensor<?x4xf16>, tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// CHECK-LABEL: func.func @columns(
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0] [%{{.*}}, 2] [1, 1]
// CHECK-NEXT: tensor.insert_slice %arg1 into %{{.*}}[0, 2] [%{{.*}}, 3] [1, 1]
func.func @columns(%a: tensor<?x2xf32>, %b: tensor<?x3xf32>) -> tensor<?x5xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT: return %arg0
func.func @one(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = tensor.concat dim(0) %a : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @others(
// CHECK-NEXT: tensor.insert_slice %arg0 into %arg1[2] [4] [1]
// CHECK-NEXT: return
func.func @others(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %a into %b[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
