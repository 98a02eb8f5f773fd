// What is known of a row from tensors is found out once for the rows of a warp, each by a
// lane of its own, which tells the others.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // The lane adds up all columns of its row.
  // CHECK-LABEL: llvm.func @facts(
  // CHECK: %[[END:[0-9]+]] = arith.minsi
  // CHECK: %[[ROW:[0-9]+]] = arith.addi %[[FIRST:[0-9]+]], %{{[0-9]+}} : i32
  // CHECK-NEXT: %[[OWN:[0-9]+]] = arith.cmpi slt, %[[ROW]], %[[END]] : i32
  // CHECK-NEXT: %[[FACT:[0-9]+]] = scf.if %[[OWN]] -> (f32) {
  // CHECK-NEXT: scf.for %{{.*}} = %c0_i32 to %c6_i32 step %c1_i32 iter_args
  // CHECK: llvm.nvvm.rsqrt.approx.f
  // CHECK: scf.for %[[AT:.*]] = %[[FIRST]] to %[[END]] step %c1_i32
  // CHECK-NEXT: %[[LANE:[0-9]+]] = arith.subi %[[AT]], %[[FIRST]] : i32
  // CHECK-NEXT: %[[SHARED:[0-9]+]] = nvvm.shfl.sync idx %c-1_i32, %[[FACT]], %[[LANE]], %c31_i32 : f32 -> f32
  // CHECK-NOT: nvvm.shfl
  // CHECK: arith.mulf %{{.*}}, %[[SHARED]] : f32
  // CHECK: llvm.return
  tile.kernel @facts(%x: memref<64x128xf32>, %s: memref<64x6xf32>, %y: memref<64x128xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c60 = arith.constant 60 : index
    %c128 = arith.constant 128 : index
    tile.tiles (%i, %j) below (%c1, %c1) band 8 {
      tile.rows %row below %c60 extent 64 {
        %sum = tile.reduce add %column = %c0 to %c6 {
          %part = tile.load %s[%row, %column] : memref<64x6xf32> to f32
          tile.yield %part : f32
        }
        %factor = math.rsqrt %sum : f32
        tile.columns %column = %c0 to %c128 {
          %value = tile.load %x[%row, %column] : memref<64x128xf32> to f32
          %scaled = arith.mulf %value, %factor : f32
          tile.store %scaled, %y[%row, %column] : f32 to memref<64x128xf32>
        }
      }
    }
    tile.return
  }

  // What the kernel itself writes is no fact, nor are long rows, which all lanes add up.
  // CHECK-LABEL: llvm.func @others(
  // CHECK-NOT: nvvm.shfl.sync idx
  // CHECK: llvm.return
  tile.kernel @others(%x: memref<64x128xf32>, %y: memref<64x128xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c60 = arith.constant 60 : index
    %c128 = arith.constant 128 : index
    tile.tiles (%i, %j) below (%c1, %c1) band 8 {
      tile.rows %row below %c60 extent 64 {
        %own = tile.load %y[%row, %c0] : memref<64x128xf32> to f32
        %sum = tile.reduce add %column = %c0 to %c128 {
          %part = tile.load %x[%row, %column] : memref<64x128xf32> to f32
          tile.yield %part : f32
        }
        tile.columns %column = %c0 to %c128 {
          %value = arith.mulf %own, %sum : f32
          tile.store %value, %y[%row, %column] : f32 to memref<64x128xf32>
        }
      }
    }
    tile.return
  }
}
