// A lane takes four columns at a time where their number is a multiple, else one.
// RUN: block-opt %s --tile-widen-columns | FileCheck %s
// RUN: block-opt %s --tile-widen-columns -o %t && block-opt %t --tile-widen-columns | diff %t -

gpu.module @kernels {
  // CHECK: tile.reduce add %{{.*}} = %c0 to %c128 {
  // CHECK-COUNT-4: tile.load
  // CHECK-NOT: tile.load
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[B:.*]] = arith.addf
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT: tile.yield %[[SUM]] : f32
  // CHECK-NEXT: } {width = 4 : i64}
  // CHECK: tile.columns %{{.*}} = %c0 to %c127 {
  // CHECK-COUNT-1: tile.store
  // CHECK-NOT: tile.store
  // CHECK-NOT: width
  tile.kernel @f(%x: memref<128xf32>, %y: memref<128xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c127 = arith.constant 127 : index
    %c128 = arith.constant 128 : index
    tile.rows %row below %c1 grid {
      %sum = tile.reduce add %column = %c0 to %c128 {
        %value = tile.load %x[%column] : memref<128xf32> to f32
        tile.yield %value : f32
      }
      tile.columns %column = %c0 to %c127 {
        tile.store %sum, %y[%column] : f32 to memref<128xf32>
      }
    }
    tile.return
  }
}
