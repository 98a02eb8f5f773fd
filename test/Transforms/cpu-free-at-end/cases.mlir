// Memory of any type and size is freed where its block ends; what is handed on, in any way, is not, nor is the stack's.
// RUN: block-opt %s --cpu-free-at-end | FileCheck %s

// CHECK-LABEL: func.func @rank0(
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<f16>
// CHECK: memref.load
// CHECK-NEXT: memref.dealloc %[[OWN]] : memref<f16>
// CHECK-NEXT: return
func.func @rank0(%x: f16) -> f16 {
  %m = memref.alloc() : memref<f16>
  memref.store %x, %m[] : memref<f16>
  %0 = memref.load %m[] : memref<f16>
  return %0 : f16
}

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NEXT: memref.dealloc %{{.*}} : memref<?xf16>
// CHECK-NEXT: }
func.func @loop(%n: index, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc(%n) : memref<?xf16>
    memref.store %x, %m[%i] : memref<?xf16>
  }
  return
}

// CHECK-LABEL: func.func @yielded(
// CHECK-NOT: memref.dealloc
func.func @yielded(%c: i1, %n: index) -> memref<?xf32> {
  %0 = scf.if %c -> memref<?xf32> {
    %m = memref.alloc(%n) : memref<?xf32>
    scf.yield %m : memref<?xf32>
  } else {
    %m = memref.alloc(%n) : memref<?xf32>
    scf.yield %m : memref<?xf32>
  }
  return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @by_a_view(
// CHECK: %[[OTHER:.*]] = memref.alloc() : memref<8xf32>
// CHECK: memref.dealloc %[[OTHER]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @by_a_view() -> memref<?xf32, strided<[1], offset: ?>> {
  %m = memref.alloc() : memref<4xf32>
  %other = memref.alloc() : memref<8xf32>
  %read = memref.cast %other : memref<8xf32> to memref<?xf32>
  %part = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %0 = memref.cast %part : memref<2xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: ?>>
  return %0 : memref<?xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func @by_a_choice(
// CHECK-NOT: memref.dealloc
func.func @by_a_choice(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %0 = arith.select %c, %a, %b : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  %1 = scf.if %c -> memref<4xf32> {
    scf.yield %d : memref<4xf32>
  } else {
    scf.yield %0 : memref<4xf32>
  }
  return %0, %1 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @by_a_loop(
// CHECK-NOT: memref.dealloc
func.func @by_a_loop(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %m) -> memref<4xf32> {
    scf.yield %carried : memref<4xf32>
  }
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @stack(
// CHECK-NOT: memref.dealloc
func.func @stack(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  return
}
