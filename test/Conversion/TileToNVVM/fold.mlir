// Integers of all threads of a CTA.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // Neither a name of its own nor the backend's word that it is only read: an output may be the input's memory.
  // CHECK-LABEL: llvm.func @sums(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64})
  // CHECK: shared_bytes = 16
  // A thread adds every 64th column.
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK: %[[OWN:.*]] = scf.for %{{.*}} = %[[THREAD]] to %c70_i32 step %c64_i32 iter_args(%[[SUM:.*]] = %c0_i64) -> (i64)
  // CHECK: %[[VALUE:.*]] = llvm.load
  // CHECK: %[[NEXT:.*]] = arith.addi %[[SUM]], %[[VALUE]] : i64
  // CHECK: scf.yield %[[NEXT]] : i64
  // Lanes add, in halves of 32 bits.
  // CHECK: %[[LOW:.*]] = arith.trunci %[[OWN]] : i64 to i32
  // CHECK: nvvm.shfl.sync  bfly %c-1_i32, %[[LOW]], %c16_i32, %c31_i32 : i32 -> i32
  // CHECK: %[[HIGH:.*]] = arith.shrui %[[OWN]], %c32_i64 : i64
  // CHECK-COUNT-9: nvvm.shfl.sync  bfly
  // A part for each warp, between two barriers.
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c64_i32
  // CHECK: scf.if
  // CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<3>
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c64_i32
  // CHECK: %[[IS_WARP:.*]] = arith.cmpi ult, %{{.*}}, %c2_i32 : i32
  // CHECK: %[[PART:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i64
  // CHECK: arith.select %[[IS_WARP]], %[[PART]], %c0_i64 : i64
  // CHECK-COUNT-10: nvvm.shfl.sync  bfly
  tile.kernel @sums(%x: memref<3x70xi64>, %y: memref<3xi64>) attributes {outputs = 1 : i64, in_place, schedule = #tile.schedule<warps = 2, grid = 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c70 = arith.constant 70 : index
    tile.tiles (%row, %j) below (%c3, %c1) band 8 {
      %sum = tile.fold <add> %c0 to %c70 : (i64) {
      ^bb0(%column: index):
        %0 = tile.load %x[%row, %column] : memref<3x70xi64> to i64
        tile.yield %0 : i64
      }
      tile.rows %r below %c1 extent 1 {
        tile.store %sum, %y[%row] : i64 to memref<3xi64>
      }
    }
    tile.return
  }

  // CHECK-LABEL: llvm.func @largest(
  // CHECK: arith.maxui
  tile.kernel @largest(%x: memref<3x70xi64>, %y: memref<3xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 2, grid = 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c70 = arith.constant 70 : index
    tile.tiles (%row, %j) below (%c3, %c1) band 8 {
      %most = tile.fold <max> %c0 to %c70 : (i64) {
      ^bb0(%column: index):
        %0 = tile.load %x[%row, %column] : memref<3x70xi64> to i64
        tile.yield %0 : i64
      }
      tile.rows %r below %c1 extent 1 {
        tile.store %most, %y[%row] : i64 to memref<3xi64>
      }
    }
    tile.return
  }
}
