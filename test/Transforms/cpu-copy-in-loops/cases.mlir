// Copies of any rank, type and layout; other ops on memory stay.
// RUN: block-opt %s --cpu-copy-in-loops | FileCheck %s
// CHECK-LABEL: func.func @open(
// CHECK: linalg.generic {{{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<?x4xf16, strided<[8, 2], offset: ?>>)
// CHECK: ^bb0(%[[IN:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: linalg.yield %[[IN]] : f16
func.func @open(%x: memref<?x4xf16, strided<[8, 2], offset: ?>>, %y: memref<?x4xf16>) {
  memref.copy %x, %y : memref<?x4xf16, strided<[8, 2], offset: ?>> to memref<?x4xf16>
  return
}

// CHECK-LABEL: func.func @rank0(
// CHECK: linalg.generic {{{.*}}iterator_types = []} ins(%arg0 : memref<f16>) outs(%arg1 : memref<f16>)
func.func @rank0(%x: memref<f16>, %y: memref<f16>) {
  memref.copy %x, %y : memref<f16> to memref<f16>
  return
}

// CHECK-LABEL: func.func @in_loop(
// CHECK: scf.for
// CHECK-NEXT: linalg.generic
// CHECK-NOT: memref.copy
func.func @in_loop(%x: memref<4xi1>, %y: memref<4xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %y : memref<4xi1> to memref<4xi1>
  }
  return
}

// CHECK-LABEL: func.func @others(
// CHECK-NEXT: linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)
// CHECK-NEXT: return
func.func @others(%x: memref<4xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
  return
}
