// A store needs rows around it, which say who stores.
// RUN: not block-opt %s --split-input-file --tile-mark-accesses 2>&1 | FileCheck %s
gpu.module @kernels {
  tile.kernel @outside(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    // CHECK: refuse.mlir:[[@LINE+1]]:5: error: 'tile.store' op expected tile.rows around it
    tile.store %one, %y[%c0] : f32 to memref<4xf32>
    tile.return
  }
}

// -----

// Memory of a kernel is that of its arguments.
gpu.module @kernels {
  tile.kernel @taken(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c4 = arith.constant 4 : index
    %own = memref.alloc() : memref<4xf32>
    tile.rows %row below %c4 grid {
      // CHECK: error: 'tile.load' op expected an argument of the kernel or a table, got
      %value = tile.load %own[%row] : memref<4xf32> to f32
      tile.store %value, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}
