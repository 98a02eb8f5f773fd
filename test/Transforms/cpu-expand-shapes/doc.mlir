// Strides of an expanded shape are products of sizes, two of them open.
// RUN: block-opt %s --cpu-expand-shapes | FileCheck %s
// CHECK: %[[STRIDE:.*]] = affine.apply {{.*}}()[%{{.*}}]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}, %{{.*}}, 8], strides: [%[[STRIDE]], 8, 1]
// CHECK-NOT: memref.expand_shape
func.func @f(%x: memref<?x8xf32>, %batch: index, %rows: index) -> memref<?x?x8xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%batch, %rows, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %0 : memref<?x?x8xf32>
}
