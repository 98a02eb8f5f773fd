// Elements in memory: types, addresses, and when lanes meet.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

// CHECK: llvm.mlir.global internal constant @tile_table_1(dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>)
// CHECK-NEXT: {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
// CHECK-NEXT: llvm.mlir.global internal constant @tile_table_0(dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>)
// CHECK-NEXT: {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<2 x array<2 x f32>>
// CHECK-NEXT: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.module @kernels {
  // 16-bit elements are f32 between memory and memory. Addresses have 64 bits.
  // CHECK-LABEL: llvm.func @types(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: i32, %arg2: i32,
  // CHECK-NEXT: %arg3: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg4: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %1 = arith.muli %0, %c4_i32 : i32
  // CHECK-NEXT: %2 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %3 = arith.shrui %2, %c5_i32 : i32
  // CHECK-NEXT: %4 = arith.addi %1, %3 : i32
  // CHECK-NEXT: %5 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %6 = arith.muli %5, %c4_i32 : i32
  // CHECK-NEXT: scf.for %arg5 = %4 to %c4_i32 step %6  : i32 {
  // CHECK-NEXT: %7 = arith.extsi %arg5 : i32 to i64
  // CHECK-NEXT: %8 = llvm.getelementptr inbounds %arg3[%7] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  // CHECK-NEXT: %9 = llvm.load %8 : !llvm.ptr<1> -> i64
  // CHECK-NEXT: %10 = arith.trunci %9 : i64 to i32
  // CHECK-NEXT: %11 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %12 = arith.extsi %10 : i32 to i64
  // CHECK-NEXT: %13 = arith.muli %12, %11 : i64
  // CHECK-NEXT: %14 = arith.addi %13, %c2_i64 : i64
  // CHECK-NEXT: %15 = llvm.getelementptr inbounds %arg0[%14] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: %16 = llvm.load %15 : !llvm.ptr<1> -> bf16
  // CHECK-NEXT: %17 = arith.extf %16 : bf16 to f32
  // CHECK-NEXT: %18 = arith.truncf %17 : f32 to f16
  // CHECK-NEXT: %19 = arith.andi %2, %c31_i32 : i32
  // CHECK-NEXT: %20 = arith.cmpi eq, %19, %c0_i32 : i32
  // CHECK-NEXT: scf.if %20 {
  // CHECK-NEXT: %21 = arith.muli %7, %c8_i64 : i64
  // CHECK-NEXT: %22 = arith.addi %21, %c2_i64 : i64
  // CHECK-NEXT: %23 = llvm.getelementptr inbounds %arg4[%22] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  // CHECK-NEXT: llvm.store %18, %23 : f16, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @types(%x: memref<?x?xbf16>, %ids: memref<4xi64>, %y: memref<4x8xf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %id = tile.load %ids[%row] : memref<4xi64> to i64
      %from = arith.index_cast %id : i64 to index
      %value = tile.load %x[%from, %c2] : memref<?x?xbf16> to f32
      %rounded = tile.round %value to f16
      tile.store %rounded, %y[%row, %c2] : f32 to memref<4x8xf16>
    }
    tile.return
  }

  // Lanes meet before scratch memory is overwritten and after.
  // CHECK-LABEL: llvm.func @scratch(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = llvm.mlir.addressof @tile_shared : !llvm.ptr<3>
  // CHECK: %1 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %2 = arith.muli %1, %c4_i32 : i32
  // CHECK-NEXT: %3 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %4 = arith.shrui %3, %c5_i32 : i32
  // CHECK-NEXT: %5 = arith.addi %2, %4 : i32
  // CHECK-NEXT: %6 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %7 = arith.muli %6, %c4_i32 : i32
  // CHECK-NEXT: scf.for %arg1 = %5 to %c4_i32 step %7  : i32 {
  // CHECK-NEXT: %8 = arith.muli %4, %c256_i32 : i32
  // CHECK-NEXT: %9 = llvm.getelementptr inbounds %0[%8] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: nvvm.bar.warp.sync %c-1_i32 : i32
  // CHECK-NEXT: %10 = arith.andi %3, %c31_i32 : i32
  // CHECK-NEXT: %11 = arith.muli %10, %c2_i32 : i32
  // CHECK-NEXT: scf.for %arg2 = %11 to %c64_i32 step %c64_i32  : i32 {
  // CHECK-NEXT: %13 = arith.muli %arg2, %c4_i32 overflow<nsw> : i32
  // CHECK-NEXT: %14 = llvm.getelementptr inbounds %9[%13] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: llvm.store %cst, %14 : f32, !llvm.ptr<3>
  // CHECK-NEXT: %15 = arith.addi %arg2, %c1_i32 overflow<nsw> : i32
  // CHECK-NEXT: %16 = arith.muli %15, %c4_i32 overflow<nsw> : i32
  // CHECK-NEXT: %17 = llvm.getelementptr inbounds %9[%16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: llvm.store %cst, %17 : f32, !llvm.ptr<3>
  // CHECK-NEXT: }
  // CHECK-NEXT: nvvm.bar.warp.sync %c-1_i32 : i32
  // CHECK-NEXT: nvvm.bar.warp.sync %c-1_i32 : i32
  // CHECK-NEXT: %12 = arith.cmpi eq, %10, %c0_i32 : i32
  // CHECK-NEXT: scf.if %12 {
  // CHECK-NEXT: %13 = llvm.getelementptr inbounds %9[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: llvm.store %cst, %13 : f32, !llvm.ptr<3>
  // CHECK-NEXT: }
  // CHECK-NEXT: nvvm.bar.warp.sync %c-1_i32 : i32
  // CHECK-NEXT: scf.for %arg2 = %11 to %c64_i32 step %c64_i32  : i32 {
  // CHECK-NEXT: %13 = arith.muli %arg2, %c4_i32 overflow<nsw> : i32
  // CHECK-NEXT: %14 = llvm.getelementptr inbounds %9[%13] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: %15 = llvm.load %14 : !llvm.ptr<3> -> f32
  // CHECK-NEXT: %16 = arith.addi %arg2, %c1_i32 overflow<nsw> : i32
  // CHECK-NEXT: %17 = arith.muli %16, %c4_i32 overflow<nsw> : i32
  // CHECK-NEXT: %18 = llvm.getelementptr inbounds %9[%17] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: %19 = llvm.load %18 : !llvm.ptr<3> -> f32
  // CHECK-NEXT: %20 = arith.extsi %arg2 : i32 to i64
  // CHECK-NEXT: %21 = arith.extsi %arg1 : i32 to i64
  // CHECK-NEXT: %22 = arith.muli %21, %c64_i64 : i64
  // CHECK-NEXT: %23 = arith.addi %22, %20 : i64
  // CHECK-NEXT: %24 = llvm.getelementptr inbounds %arg0[%23] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %15, %24 : f32, !llvm.ptr<1>
  // CHECK-NEXT: %25 = llvm.getelementptr %24[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %19, %25 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @scratch(%y: memref<4x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    tile.rows %row below %c4 grid {
      %scratch = tile.scratch : !tile.buffer<1x64xf32>
      tile.columns %column = %c0 to %c64 {
        tile.store %one, %scratch[%c0, %column] : f32 to !tile.buffer<1x64xf32>
      }
      tile.store %one, %scratch[%c0, %c1] : f32 to !tile.buffer<1x64xf32>
      tile.columns %column = %c0 to %c64 {
        %value = tile.load %scratch[%c0, %column] : !tile.buffer<1x64xf32> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<4x64xf32>
      }
    }
    tile.return
  }

  // Equal tables are one, other ones are not.
  // CHECK-LABEL: llvm.func @tables(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = llvm.mlir.addressof @tile_table_0 : !llvm.ptr<1>
  // CHECK-NEXT: %1 = llvm.mlir.addressof @tile_table_1 : !llvm.ptr<1>
  // CHECK: %2 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %3 = arith.muli %2, %c4_i32 : i32
  // CHECK-NEXT: %4 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %5 = arith.shrui %4, %c5_i32 : i32
  // CHECK-NEXT: %6 = arith.addi %3, %5 : i32
  // CHECK-NEXT: %7 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %8 = arith.muli %7, %c4_i32 : i32
  // CHECK-NEXT: scf.for %arg1 = %6 to %c4_i32 step %8  : i32 {
  // CHECK-NEXT: %9 = arith.extsi %arg1 : i32 to i64
  // CHECK-NEXT: %10 = arith.muli %9, %c2_i64 : i64
  // CHECK-NEXT: %11 = arith.addi %10, %c1_i64 : i64
  // CHECK-NEXT: %12 = llvm.getelementptr inbounds %0[%11] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %13 = llvm.load %12 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %14 = llvm.getelementptr inbounds %1[%9] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: %15 = llvm.load %14 : !llvm.ptr<1> -> f32
  // CHECK-NEXT: %16 = arith.addf %13, %13 : f32
  // CHECK-NEXT: %17 = arith.addf %15, %16 : f32
  // CHECK-NEXT: %18 = arith.andi %4, %c31_i32 : i32
  // CHECK-NEXT: %19 = arith.cmpi eq, %18, %c0_i32 : i32
  // CHECK-NEXT: scf.if %19 {
  // CHECK-NEXT: %20 = llvm.getelementptr inbounds %arg0[%9] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  // CHECK-NEXT: llvm.store %17, %20 : f32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @tables(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    %a = tile.table dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> : memref<2x2xf32>
    %b = tile.table dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> : memref<2x2xf32>
    %c = tile.table dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : memref<4xf32>
    tile.rows %row below %c4 grid {
      %c1 = arith.constant 1 : index
      %0 = tile.load %a[%row, %c1] : memref<2x2xf32> to f32
      %1 = tile.load %b[%row, %c1] : memref<2x2xf32> to f32
      %2 = tile.load %c[%row] : memref<4xf32> to f32
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      tile.store %4, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}
