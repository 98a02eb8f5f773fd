// How many neighbouring columns a lane takes at a time: as many as every bound is
// a multiple of, 16 bytes of them in rows of a grid, and no more than leave work for
// all lanes; and all of a row before any of it is written.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @eight(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: scf.for %{{.*}} = %{{.*}} to %c8_i32 step %{{.*}} : i32 {
  // CHECK: %[[OWN:.*]] = arith.muli %{{.*}}, %c8_i32 : i32
  // CHECK-NEXT: scf.for %{{.*}} = %[[OWN]] to %c1024_i32 step %c1024_i32 : i32 {
  // CHECK-COUNT-32: llvm.load
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-32: llvm.store
  // CHECK-NOT: llvm.store
  tile.kernel @eight(%x: memref<8x1024xbf16>, %y: memref<8x1024xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    tile.rows %row below %c8 grid {
      tile.columns %column = %c0 to %c1024 {
        %value = tile.load %x[%row, %column] : memref<8x1024xbf16> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<8x1024xbf16>
      }
    }
    tile.return
  }

  // 64 columns would leave half of the lanes without work.
  // CHECK-LABEL: llvm.func @two(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %4 = arith.addi %1, %3 : i32
  // CHECK: scf.for %arg2 = %4 to %c8_i32 step %6  : i32 {
  // CHECK: %9 = scf.for %arg3 = %8 to %c64_i32 step %c64_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
  // CHECK: %24 = arith.addi %23, %21 : i64
  // CHECK-NEXT: %25 = llvm.getelementptr inbounds %arg0[%24] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %26 = llvm.load %25 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %27 = llvm.getelementptr %25[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %28 = llvm.load %27 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %29 = arith.maximumf %26, %28 : f32
  // CHECK-NEXT: %30 = arith.maximumf %arg4, %29 : f32
  // CHECK-NEXT: scf.yield %30 : f32
  // CHECK: %11 = arith.maximumf %9, %10 : f32
  // CHECK: %13 = arith.maximumf %11, %12 : f32
  // CHECK: %15 = arith.maximumf %13, %14 : f32
  // CHECK: %17 = arith.maximumf %15, %16 : f32
  // CHECK: %19 = arith.maximumf %17, %18 : f32
  // CHECK: %22 = llvm.getelementptr inbounds %arg1[%21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %19, %22 : f32, !llvm.ptr<1>
  tile.kernel @two(%x: memref<8x64xf32>, %y: memref<8xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    tile.rows %row below %c8 grid {
      %max = tile.reduce max %column = %c0 to %c64 {
        %value = tile.load %x[%row, %column] : memref<8x64xf32> to f32
        tile.yield %value : f32
      }
      tile.store %max, %y[%row] : f32 to memref<8xf32>
    }
    tile.return
  }

  // CHECK-LABEL: llvm.func @odd(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %4 = arith.addi %1, %3 : i32
  // CHECK: scf.for %arg2 = %4 to %c8_i32 step %6  : i32 {
  // CHECK: %8 = scf.for %arg3 = %7 to %c1023_i32 step %c32_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
  // CHECK: %23 = arith.addi %22, %20 : i64
  // CHECK-NEXT: %24 = llvm.getelementptr inbounds %arg0[%23] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %25 = llvm.load %24 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %26 = arith.addf %arg4, %25 : f32
  // CHECK-NEXT: scf.yield %26 : f32
  // CHECK: %10 = arith.addf %8, %9 : f32
  // CHECK: %12 = arith.addf %10, %11 : f32
  // CHECK: %14 = arith.addf %12, %13 : f32
  // CHECK: %16 = arith.addf %14, %15 : f32
  // CHECK: %18 = arith.addf %16, %17 : f32
  // CHECK: %21 = llvm.getelementptr inbounds %arg1[%20] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %18, %21 : f32, !llvm.ptr<1>
  tile.kernel @odd(%x: memref<8x1023xf32>, %y: memref<8xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1023 = arith.constant 1023 : index
    tile.rows %row below %c8 grid {
      %sum = tile.reduce add %column = %c0 to %c1023 {
        %value = tile.load %x[%row, %column] : memref<8x1023xf32> to f32
        tile.yield %value : f32
      }
      tile.store %sum, %y[%row] : f32 to memref<8xf32>
    }
    tile.return
  }

  // The bounds of a tile are multiples of 4 though nobody knows which ones.
  // CHECK-LABEL: llvm.func @edges(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: i32,
  // CHECK-NEXT: %arg2: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg3: i32)
  // CHECK: %0 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %1 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: scf.for %arg4 = %1 to %c64_i32 step %0  : i32 {
  // CHECK-NEXT: %2 = arith.divui %arg4, %c64_i32 : i32
  // CHECK-NEXT: %3 = arith.remui %arg4, %c64_i32 : i32
  // CHECK-NEXT: %4 = arith.muli %2, %c8_i32 : i32
  // CHECK-NEXT: %5 = arith.subi %c8_i32, %4 : i32
  // CHECK-NEXT: %6 = arith.minsi %5, %c8_i32 : i32
  // CHECK-NEXT: %7 = arith.divui %3, %6 : i32
  // CHECK-NEXT: %8 = arith.muli %7, %c256_i32 : i32
  // CHECK-NEXT: %9 = arith.addi %8, %c256_i32 : i32
  // CHECK-NEXT: %10 = arith.minsi %9, %c1000_i32 : i32
  // CHECK-NEXT: %11 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %12 = arith.shrui %11, %c5_i32 : i32
  // CHECK-NEXT: %13 = arith.addi %12, %c1_i32 : i32
  // CHECK-NEXT: %14 = arith.minsi %13, %c1_i32 : i32
  // CHECK-NEXT: scf.for %arg5 = %12 to %14 step %c1_i32  : i32 {
  // CHECK-NEXT: %15 = arith.andi %11, %c31_i32 : i32
  // CHECK-NEXT: %16 = arith.muli %15, %c4_i32 : i32
  // CHECK-NEXT: %17 = arith.addi %8, %16 : i32
  // CHECK-NEXT: scf.for %arg6 = %17 to %10 step %c128_i32  : i32 {
  // CHECK-NEXT: %18 = arith.extsi %arg6 : i32 to i64
  // CHECK-NEXT: %19 = arith.extsi %arg5 : i32 to i64
  // CHECK-NEXT: %20 = arith.muli %19, %c1000_i64 : i64
  // CHECK-NEXT: %21 = arith.addi %20, %18 : i64
  // CHECK-NEXT: %22 = llvm.getelementptr inbounds %arg0[%21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %23 = llvm.load %22 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %24 = llvm.getelementptr %22[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %25 = llvm.load %24 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %26 = llvm.getelementptr %22[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %27 = llvm.load %26 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %28 = llvm.getelementptr %22[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %29 = llvm.load %28 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %30 = llvm.getelementptr inbounds %arg2[%21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %23, %30 : f32, !llvm.ptr<1>
  // CHECK-NEXT: %31 = llvm.getelementptr %30[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %25, %31 : f32, !llvm.ptr<1>
  // CHECK-NEXT: %32 = llvm.getelementptr %30[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %27, %32 : f32, !llvm.ptr<1>
  // CHECK-NEXT: %33 = llvm.getelementptr %30[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %29, %33 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @edges(%x: memref<?x1000xf32>, %y: memref<?x1000xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %c1000 = arith.constant 1000 : index
    tile.tiles (%i, %j) below (%c8, %c8) band 8 {
      %from = arith.muli %j, %c256 : index
      %end = arith.addi %from, %c256 : index
      %to = arith.minsi %end, %c1000 : index
      tile.rows %row below %c1 extent 4 {
        tile.columns %column = %from to %to {
          %value = tile.load %x[%row, %column] : memref<?x1000xf32> to f32
          tile.store %value, %y[%row, %column] : f32 to memref<?x1000xf32>
        }
      }
    }
    tile.return
  }

  // A loop inside is work enough.
  // CHECK-LABEL: llvm.func @loop(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %4 = arith.addi %1, %3 : i32
  // CHECK: scf.for %arg2 = %4 to %c8_i32 step %6  : i32 {
  // CHECK: scf.for %arg3 = %c0_i32 to %c1024_i32 step %c32_i32  : i32 {
  // CHECK-NEXT: %8 = arith.addi %7, %arg3 overflow<nsw> : i32
  // CHECK-NEXT: %9 = scf.for %arg4 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg5 = %cst) -> (f32)  : i32 {
  // CHECK: %18 = arith.addi %17, %15 : i64
  // CHECK-NEXT: %19 = llvm.getelementptr inbounds %arg0[%18] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %20 = llvm.load %19 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %21 = arith.addf %arg5, %20 : f32
  // CHECK-NEXT: scf.yield %21 : f32
  // CHECK: %13 = arith.addi %12, %10 : i64
  // CHECK-NEXT: %14 = llvm.getelementptr inbounds %arg1[%13] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %9, %14 : f32, !llvm.ptr<1>
  tile.kernel @loop(%x: memref<8x1024xf32>, %y: memref<8x1024xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    tile.rows %row below %c8 grid {
      tile.columns %column = %c0 to %c1024 {
        %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%old = %zero) -> (f32) {
          %value = tile.load %x[%k, %column] : memref<8x1024xf32> to f32
          %new = arith.addf %old, %value : f32
          scf.yield %new : f32
        }
        tile.store %sum, %y[%row, %column] : f32 to memref<8x1024xf32>
      }
    }
    tile.return
  }

  // As many columns behind a start that is found at run time: four a lane in one round, without a loop.
  // CHECK-LABEL: llvm.func @behind(
  // CHECK: scf.for %arg2
  // CHECK-NOT: scf.for
  // CHECK-COUNT-4: llvm.store
  tile.kernel @behind(%x: memref<8x1024xbf16>, %y: memref<8x1024xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    tile.rows %row below %c8 grid {
      %from = arith.muli %row, %c128 : index
      %to = arith.addi %from, %c128 : index
      tile.columns %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<8x1024xbf16> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<8x1024xbf16>
      }
    }
    tile.return
  }

  // Half as many: two a lane, so that all lanes have some.
  // CHECK-LABEL: llvm.func @half(
  // CHECK: scf.for %arg2
  // CHECK-NOT: scf.for
  // CHECK-COUNT-2: llvm.store
  // CHECK-NOT: llvm.store
  tile.kernel @half(%x: memref<8x1024xbf16>, %y: memref<8x1024xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    tile.rows %row below %c8 grid {
      %from = arith.muli %row, %c64 : index
      %to = arith.addi %from, %c64 : index
      tile.columns %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<8x1024xbf16> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<8x1024xbf16>
      }
    }
    tile.return
  }
}
