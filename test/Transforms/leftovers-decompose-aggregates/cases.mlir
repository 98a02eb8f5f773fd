// A softmax of open sizes along rows, and one of a vector; other reductions stay.
// RUN: block-opt %s --leftovers-decompose-aggregates | FileCheck %s
// CHECK-LABEL: func.func @open(
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf16>
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.maxnumf %{{.*}} : f16
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.addf %{{.*}} : f16
// CHECK: arith.divf
func.func @open(%x: tensor<?x?xf16>, %a: index, %b: index) -> tensor<?x?xf16> {
  %empty = tensor.empty(%a, %b) : tensor<?x?xf16>
  %0 = linalg.softmax dimension(0) ins(%x : tensor<?x?xf16>) outs(%empty : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// CHECK-LABEL: func.func @vector(
// CHECK: tensor.empty() : tensor<f32>
// CHECK: iterator_types = ["reduction"]
// CHECK: arith.maxnumf
// CHECK: arith.divf
func.func @vector(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.softmax dimension(0) ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @others(
// CHECK-NEXT: linalg.reduce { arith.addf }
// CHECK-NEXT: return
func.func @others(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// Bits are compared as 0 and 1.
// CHECK-LABEL: func.func @bits(
// CHECK-NEXT: %[[WIDE:.*]] = tosa.cast %{{.*}} : (tensor<4x3xi1>) -> tensor<4x3xi8>
// CHECK-NEXT: tosa.argmax %[[WIDE]] {axis = 1 : i32} : (tensor<4x3xi8>) -> tensor<4xi32>
// CHECK-NEXT: return
func.func @bits(%x: tensor<4x3xi1>) -> tensor<4xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x3xi1>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
