// What rows of a grid read is asked for together: all runs of a row, or a part that
// they are a multiple of, while there are registers; what is left has its own loop.
// RUN: block-opt %s --tile-widen-columns | FileCheck %s
// RUN: block-opt %s --tile-widen-columns -o %t && block-opt %t --tile-widen-columns | diff %t -

#schedule = #tile.schedule<warps = 4, grid = 2>
gpu.module @kernels {
  // CHECK-LABEL: @norm
  // CHECK: tile.reduce add
  // CHECK-COUNT-24: tile.load %arg0
  // CHECK-NOT: tile.load
  // CHECK: {rounds = 3 : i64, width = 8 : i64}
  // CHECK: tile.columns
  // CHECK-COUNT-48: tile.load
  // CHECK-NOT: tile.load
  // CHECK-COUNT-24: tile.store
  // CHECK-NOT: tile.store
  // CHECK: {rounds = 3 : i64, width = 8 : i64}
  tile.kernel @norm(%x: memref<8x768xbf16>, %gain: memref<768xbf16>, %y: memref<8x768xbf16>)
      attributes {outputs = 1 : i64, schedule = #schedule} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c768 = arith.constant 768 : index
    tile.rows %row below %c8 grid {
      %sum = tile.reduce add %column = %c0 to %c768 {
        %value = tile.load %x[%row, %column] : memref<8x768xbf16> to f32
        %square = arith.mulf %value, %value : f32
        tile.yield %square : f32
      }
      tile.columns %column = %c0 to %c768 {
        %value = tile.load %x[%row, %column] : memref<8x768xbf16> to f32
        %scaled = arith.mulf %value, %sum : f32
        %by = tile.load %gain[%column] : memref<768xbf16> to f32
        %result = arith.mulf %scaled, %by : f32
        tile.store %result, %y[%row, %column] : f32 to memref<8x768xbf16>
      }
    }
    tile.return
  }

  // Sixteen runs of eight: four of them are 64 elements of two tensors.
  // CHECK-LABEL: @wide
  // CHECK: tile.columns
  // CHECK-COUNT-64: tile.load
  // CHECK-NOT: tile.load
  // CHECK: {rounds = 4 : i64, width = 8 : i64}
  tile.kernel @wide(%x: memref<8x4096xbf16>, %skip: memref<8x4096xbf16>, %y: memref<8x4096xbf16>)
      attributes {outputs = 1 : i64, schedule = #schedule} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    tile.rows %row below %c8 grid {
      tile.columns %column = %c0 to %c4096 {
        %value = tile.load %x[%row, %column] : memref<8x4096xbf16> to f32
        %more = tile.load %skip[%row, %column] : memref<8x4096xbf16> to f32
        %sum = arith.addf %value, %more : f32
        tile.store %sum, %y[%row, %column] : f32 to memref<8x4096xbf16>
      }
    }
    tile.return
  }

  // 1600 columns are six runs of eight for each lane, and 64 columns.
  // CHECK-LABEL: @rest
  // CHECK: %[[FIRST:.*]] = tile.reduce max %{{.*}} = %c0 to %[[BORDER:.*]] {
  // CHECK: {rounds = 6 : i64, width = 8 : i64}
  // CHECK: %[[REST:.*]] = tile.reduce max %{{.*}} = %[[BORDER]] to %c1600 {
  // CHECK-COUNT-2: tile.load
  // CHECK-NOT: tile.load
  // CHECK: {width = 2 : i64}
  // CHECK-NEXT: %[[ALL:.*]] = arith.maximumf %[[FIRST]], %[[REST]] : f32
  // CHECK: tile.columns %{{.*}} = %c0 to %[[OTHER:.*]] {
  // CHECK: tile.store %[[ALL]]
  // CHECK: {rounds = 6 : i64, width = 8 : i64}
  // CHECK: tile.columns %{{.*}} = %[[OTHER]] to %c1600 {
  // CHECK-COUNT-2: tile.store %[[ALL]]
  // CHECK-NOT: tile.store
  // CHECK: {width = 2 : i64}
  tile.kernel @rest(%x: memref<8x1600xbf16>, %y: memref<8x1600xbf16>)
      attributes {outputs = 1 : i64, schedule = #schedule} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1600 = arith.constant 1600 : index
    tile.rows %row below %c8 grid {
      %max = tile.reduce max %column = %c0 to %c1600 {
        %value = tile.load %x[%row, %column] : memref<8x1600xbf16> to f32
        tile.yield %value : f32
      }
      tile.columns %column = %c0 to %c1600 {
        tile.store %max, %y[%row, %column] : f32 to memref<8x1600xbf16>
      }
    }
    tile.return
  }

  // A loop inside is work enough: one column at a time.
  // CHECK-LABEL: @loop
  // CHECK: tile.columns %{{.*}} = %c0 to %c768 {
  // CHECK-COUNT-1: tile.store
  // CHECK-NOT: tile.store
  // CHECK-NOT: rounds
  // CHECK: tile.return
  tile.kernel @loop(%x: memref<768xbf16>, %y: memref<768xbf16>)
      attributes {outputs = 1 : i64, schedule = #schedule} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c768 = arith.constant 768 : index
    %none = arith.constant 0.0 : f32
    tile.rows %row below %c1 grid {
      tile.columns %column = %c0 to %c768 {
        %sum = scf.for %at = %c0 to %c768 step %c1 iter_args(%before = %none) -> (f32) {
          %value = tile.load %x[%at] : memref<768xbf16> to f32
          %next = arith.addf %before, %value : f32
          scf.yield %next : f32
        }
        tile.store %sum, %y[%column] : f32 to memref<768xbf16>
      }
    }
    tile.return
  }
}
