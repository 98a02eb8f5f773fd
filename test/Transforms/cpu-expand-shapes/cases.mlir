// Known sizes, none, and three open ones; memory with gaps stays as it is.
// RUN: block-opt %s --cpu-expand-shapes | FileCheck %s
// CHECK-LABEL: func.func @static(
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<6xf16>
// CHECK-NEXT: memref.cast
func.func @static(%x: memref<6xf16>) -> memref<2x3xf16> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 3] : memref<6xf16> into memref<2x3xf16>
  return %0 : memref<2x3xf16>
}

// CHECK-LABEL: func.func @rank0(
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [1, 1], strides: [1, 1] : memref<f16>
func.func @rank0(%x: memref<f16>) -> memref<1x1xf16> {
  %0 = memref.expand_shape %x [] output_shape [1, 1] : memref<f16> into memref<1x1xf16>
  return %0 : memref<1x1xf16>
}

// CHECK-LABEL: func.func @three_open(
// CHECK: %[[ROW:.*]] = affine.apply #{{.*}}()[%arg3, %arg2]
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1, %arg2, %arg3], strides: [%[[ROW]], %arg3, 1]
func.func @three_open(%x: memref<?xf32>, %a: index, %b: index, %c: index) -> memref<?x?x?xf32> {
  %0 = memref.expand_shape %x [[0, 1, 2]] output_shape [%a, %b, %c] : memref<?xf32> into memref<?x?x?xf32>
  return %0 : memref<?x?x?xf32>
}

// CHECK-LABEL: func.func @apart(
// CHECK-NEXT: memref.expand_shape %arg0
// CHECK-NEXT: return
func.func @apart(%x: memref<6xf32, strided<[2]>>) -> memref<2x3xf32, strided<[6, 2]>> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 3] : memref<6xf32, strided<[2]>> into memref<2x3xf32, strided<[6, 2]>>
  return %0 : memref<2x3xf32, strided<[6, 2]>>
}
