// Each index of a tensor with its own size; numbers of loops and constants stay.
// RUN: block-opt %s --leftovers-bound-indices | FileCheck %s
// CHECK-LABEL: func.func @open(
// CHECK: %[[ROWS:.*]] = tensor.dim %arg0, %c0_0
// CHECK: %[[LAST:.*]] = arith.subi %[[ROWS]], %c1
// CHECK: %[[LOW:.*]] = arith.minsi %arg1, %[[LAST]]
// CHECK: %[[ROW:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK: arith.minsi %arg2
// CHECK: %[[COLUMN:.*]] = arith.maxsi
// CHECK: tensor.extract %arg0[%[[ROW]], %[[COLUMN]]] : tensor<?x4xf16>
func.func @open(%x: tensor<?x4xf16>, %row: index, %column: index) -> f16 {
  %0 = tensor.extract %x[%row, %column] : tensor<?x4xf16>
  return %0 : f16
}

// CHECK-LABEL: func.func @rank0(
// CHECK-NEXT: tensor.extract %arg0[] : tensor<f16>
func.func @rank0(%x: tensor<f16>) -> f16 {
  %0 = tensor.extract %x[] : tensor<f16>
  return %0 : f16
}

// CHECK-LABEL: func.func @known(
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK-NEXT: %[[ID:.*]] = tensor.extract %arg1[%[[ROW]]]
// CHECK-NEXT: tensor.extract %arg0[%[[ROW]], %c0]
// CHECK-NEXT: %[[AT:.*]] = arith.index_cast %[[ID]]
// CHECK: arith.minsi %[[AT]]
// CHECK: %[[BOUND:.*]] = arith.maxsi
// CHECK-NEXT: tensor.extract %arg0[%[[ROW]], %[[BOUND]]]
func.func @known(%x: tensor<4x8xf32>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%empty : tensor<4xf32>) {
  ^bb0(%out: f32):
    %row = linalg.index 0 : index
    %id = tensor.extract %ids[%row] : tensor<4xi64>
    %element = tensor.extract %x[%row, %c0] : tensor<4x8xf32>
    %at = arith.index_cast %id : i64 to index
    %other = tensor.extract %x[%row, %at] : tensor<4x8xf32>
    %sum = arith.addf %element, %other : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
