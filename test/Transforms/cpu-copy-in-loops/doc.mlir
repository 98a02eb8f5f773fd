// A copy is a function of each element.
// RUN: block-opt %s --cpu-copy-in-loops | FileCheck %s
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<4xf32, strided<[2]>>) outs(%arg1 : memref<4xf32>)
// CHECK-NOT: memref.copy
func.func @f(%x: memref<4xf32, strided<[2]>>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32, strided<[2]>> to memref<4xf32>
  return
}
