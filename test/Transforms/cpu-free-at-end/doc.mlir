// Memory ends with its block; what the block hands on does not.
// RUN: block-opt %s --cpu-free-at-end | FileCheck %s
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[GIVEN:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.dealloc %[[OWN]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[GIVEN]]
func.func @f(%x: f32, %at: index) -> memref<4xf32> {
  %own = memref.alloc() : memref<8xf32>
  %given = memref.alloc() : memref<4xf32>
  memref.store %x, %own[%at] : memref<8xf32>
  return %given : memref<4xf32>
}
