// Rows to warps, columns to lanes, and sums over them.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // Warp w of CTA i takes the rows 4i + w, then every 4n-th row for n CTAs.
  // CHECK-LABEL: llvm.func @grid(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %1 = arith.muli %0, %c4_i32 : i32
  // CHECK-NEXT: %2 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %3 = arith.shrui %2, %c5_i32 : i32
  // CHECK-NEXT: %4 = arith.addi %1, %3 : i32
  // CHECK-NEXT: %5 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %6 = arith.muli %5, %c4_i32 : i32
  // CHECK-NEXT: scf.for %arg2 = %4 to %c50_i32 step %6  : i32 {
  // CHECK-NEXT: %7 = arith.andi %2, %c31_i32 : i32
  // CHECK-NEXT: %8 = arith.muli %7, %c2_i32 : i32
  // CHECK-NEXT: %9 = scf.for %arg3 = %8 to %c64_i32 step %c64_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
  // CHECK-NEXT: %21 = arith.extsi %arg3 : i32 to i64
  // CHECK-NEXT: %22 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %23 = arith.muli %22, %c64_i64 : i64
  // CHECK-NEXT: %24 = arith.addi %23, %21 : i64
  // CHECK-NEXT: %25 = llvm.getelementptr inbounds %arg0[%24] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %26 = llvm.load %25 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %27 = llvm.getelementptr %25[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %28 = llvm.load %27 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %29 = arith.addf %26, %28 : f32
  // CHECK-NEXT: %30 = arith.addf %arg4, %29 : f32
  // CHECK-NEXT: scf.yield %30 : f32
  // CHECK-NEXT: }
  // CHECK-NEXT: %10 = nvvm.shfl.sync  bfly %c-1_i32, %9, %c16_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %11 = arith.addf %9, %10 : f32
  // CHECK-NEXT: %12 = nvvm.shfl.sync  bfly %c-1_i32, %11, %c8_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %13 = arith.addf %11, %12 : f32
  // CHECK-NEXT: %14 = nvvm.shfl.sync  bfly %c-1_i32, %13, %c4_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %15 = arith.addf %13, %14 : f32
  // CHECK-NEXT: %16 = nvvm.shfl.sync  bfly %c-1_i32, %15, %c2_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %17 = arith.addf %15, %16 : f32
  // CHECK-NEXT: %18 = nvvm.shfl.sync  bfly %c-1_i32, %17, %c1_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %19 = arith.addf %17, %18 : f32
  // CHECK-NEXT: %20 = arith.cmpi eq, %7, %c0_i32 : i32
  // CHECK-NEXT: scf.if %20 {
  // CHECK-NEXT: %21 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %22 = llvm.getelementptr inbounds %arg1[%21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %19, %22 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @grid(%x: memref<50x64xf32>, %y: memref<50xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c50 = arith.constant 50 : index
    %c64 = arith.constant 64 : index
    tile.rows %row below %c50 grid {
      %sum = tile.reduce add %column = %c0 to %c64 {
        %value = tile.load %x[%row, %column] : memref<50x64xf32> to f32
        tile.yield %value : f32
      }
      tile.store %sum, %y[%row] : f32 to memref<50xf32>
    }
    tile.return
  }

  // 32 rows are 8 for each of 4 warps; fewer where the tile is cut.
  // CHECK-LABEL: llvm.func @extent(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = llvm.load %arg0 : !llvm.ptr<1> -> i32
  // CHECK-NEXT: %1 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %2 = arith.shrui %1, %c5_i32 : i32
  // CHECK-NEXT: %3 = arith.addi %2, %c1_i32 : i32
  // CHECK-NEXT: %4 = arith.muli %2, %c8_i32 : i32
  // CHECK-NEXT: %5 = arith.muli %3, %c8_i32 : i32
  // CHECK-NEXT: %6 = arith.minsi %5, %0 : i32
  // CHECK-NEXT: scf.for %arg2 = %4 to %6 step %c1_i32  : i32 {
  // CHECK-NEXT: %7 = arith.andi %1, %c31_i32 : i32
  // CHECK-NEXT: %8 = arith.cmpi eq, %7, %c0_i32 : i32
  // CHECK-NEXT: scf.if %8 {
  // CHECK-NEXT: %9 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %10 = llvm.getelementptr inbounds %arg1[%9] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %cst, %10 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @extent(%count: memref<1xi32>, %y: memref<32xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %number = tile.load %count[%c0] : memref<1xi32> to i32
    %rows = arith.index_cast %number : i32 to index
    tile.rows %row below %rows extent 32 {
      tile.store %one, %y[%row] : f32 to memref<32xf32>
    }
    tile.return
  }

  // 10 rows do not: warp w starts at 10w / 4.
  // CHECK-LABEL: llvm.func @uneven(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %1 = arith.shrui %0, %c5_i32 : i32
  // CHECK-NEXT: %2 = arith.addi %1, %c1_i32 : i32
  // CHECK-NEXT: %3 = arith.muli %1, %c10_i32 : i32
  // CHECK-NEXT: %4 = arith.divui %3, %c4_i32 : i32
  // CHECK-NEXT: %5 = arith.muli %2, %c10_i32 : i32
  // CHECK-NEXT: %6 = arith.divui %5, %c4_i32 : i32
  // CHECK-NEXT: %7 = arith.minsi %6, %c10_i32 : i32
  // CHECK-NEXT: scf.for %arg1 = %4 to %7 step %c1_i32  : i32 {
  // CHECK-NEXT: %8 = arith.andi %0, %c31_i32 : i32
  // CHECK-NEXT: %9 = arith.cmpi eq, %8, %c0_i32 : i32
  // CHECK-NEXT: scf.if %9 {
  // CHECK-NEXT: %10 = arith.extsi %arg1 : i32 to i64
  // CHECK-NEXT: %11 = llvm.getelementptr inbounds %arg0[%10] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %cst, %11 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @uneven(%count: memref<1xi32>, %y: memref<32xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c10 = arith.constant 10 : index
    %one = arith.constant 1.0 : f32
    tile.rows %row below %c10 extent 10 {
      tile.store %one, %y[%row] : f32 to memref<32xf32>
    }
    tile.return
  }

  // The largest of none is minus infinity.
  // CHECK-LABEL: llvm.func @max(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %1 = arith.muli %0, %c4_i32 : i32
  // CHECK-NEXT: %2 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %3 = arith.shrui %2, %c5_i32 : i32
  // CHECK-NEXT: %4 = arith.addi %1, %3 : i32
  // CHECK-NEXT: %5 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %6 = arith.muli %5, %c4_i32 : i32
  // CHECK-NEXT: scf.for %arg2 = %4 to %c50_i32 step %6  : i32 {
  // CHECK-NEXT: %7 = arith.andi %2, %c31_i32 : i32
  // CHECK-NEXT: %8 = arith.addi %7, %c3_i32 : i32
  // CHECK-NEXT: %9 = scf.for %arg3 = %8 to %c64_i32 step %c32_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
  // CHECK-NEXT: %20 = arith.extsi %arg3 : i32 to i64
  // CHECK-NEXT: %21 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %22 = arith.muli %21, %c64_i64 : i64
  // CHECK-NEXT: %23 = arith.addi %22, %20 : i64
  // CHECK-NEXT: %24 = llvm.getelementptr inbounds %arg0[%23] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %25 = llvm.load %24 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %26 = arith.maximumf %arg4, %25 : f32
  // CHECK-NEXT: scf.yield %26 : f32
  // CHECK-NEXT: }
  // CHECK-NEXT: %10 = nvvm.shfl.sync  bfly %c-1_i32, %9, %c16_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %11 = arith.maximumf %9, %10 : f32
  // CHECK-NEXT: %12 = nvvm.shfl.sync  bfly %c-1_i32, %11, %c8_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %13 = arith.maximumf %11, %12 : f32
  // CHECK-NEXT: %14 = nvvm.shfl.sync  bfly %c-1_i32, %13, %c4_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %15 = arith.maximumf %13, %14 : f32
  // CHECK-NEXT: %16 = nvvm.shfl.sync  bfly %c-1_i32, %15, %c2_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %17 = arith.maximumf %15, %16 : f32
  // CHECK-NEXT: %18 = nvvm.shfl.sync  bfly %c-1_i32, %17, %c1_i32, %c31_i32 : f32 -> f32
  // CHECK-NEXT: %19 = arith.maximumf %17, %18 : f32
  // CHECK-NEXT: scf.for %arg3 = %8 to %c64_i32 step %c32_i32  : i32 {
  // CHECK-NEXT: %20 = arith.extsi %arg3 : i32 to i64
  // CHECK-NEXT: %21 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %22 = arith.muli %21, %c64_i64 : i64
  // CHECK-NEXT: %23 = arith.addi %22, %20 : i64
  // CHECK-NEXT: %24 = llvm.getelementptr inbounds %arg1[%23] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %19, %24 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @max(%x: memref<50x64xf32>, %y: memref<50x64xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c3 = arith.constant 3 : index
    %c50 = arith.constant 50 : index
    %c64 = arith.constant 64 : index
    tile.rows %row below %c50 grid {
      %max = tile.reduce max %column = %c3 to %c64 {
        %value = tile.load %x[%row, %column] : memref<50x64xf32> to f32
        tile.yield %value : f32
      }
      tile.columns %column = %c3 to %c64 {
        tile.store %max, %y[%row, %column] : f32 to memref<50x64xf32>
      }
    }
    tile.return
  }
}
