// Who stores, and where lanes meet: what one lane writes into a buffer, others read.
// RUN: block-opt %s --tile-mark-accesses | FileCheck %s
// RUN: block-opt %s --tile-mark-accesses -o %t && block-opt %t --tile-mark-accesses | diff %t -

gpu.module @kernels {
  // CHECK-LABEL: tile.kernel @f(
  // CHECK: tile.store %{{.*}}, %arg0[%{{.*}}] by first : f32 to memref<4xf32>
  // CHECK: tile.store %{{.*}}, %[[SCRATCH:.*]][%{{.*}}] by first synchronized : f32 to !tile.buffer<1x4xf32>
  // CHECK: tile.columns
  // CHECK-NEXT: tile.store %{{.*}}, %[[SCRATCH]][%{{.*}}] by each : f32 to !tile.buffer<1x4xf32>
  // CHECK-NEXT: } {synchronized}
  // CHECK: tile.columns
  // CHECK-NEXT: tile.store %{{.*}}, %arg0[%{{.*}}] by each : f32 to memref<4xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  tile.kernel @f(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    tile.rows %row below %c4 grid {
      tile.store %one, %y[%row] : f32 to memref<4xf32>
      %scratch = tile.scratch : !tile.buffer<1x4xf32>
      tile.store %one, %scratch[%c0, %row] : f32 to !tile.buffer<1x4xf32>
      tile.columns %column = %c0 to %c4 {
        tile.store %one, %scratch[%c0, %column] : f32 to !tile.buffer<1x4xf32>
      }
      tile.columns %column = %c0 to %c4 {
        tile.store %one, %y[%column] : f32 to memref<4xf32>
      }
    }
    tile.return
  }
}
