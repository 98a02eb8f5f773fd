// Tiles in turns: CTA i of n takes the tiles i, i + n, ..., in bands of 2 rows.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @tiles(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %0 = llvm.load %arg0 : !llvm.ptr<1> -> i32
  // CHECK-NEXT: %1 = arith.muli %0, %c5_i32 : i32
  // CHECK-NEXT: %2 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK-NEXT: %3 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: scf.for %arg2 = %3 to %1 step %2  : i32 {
  // CHECK-NEXT: %4 = arith.divui %arg2, %c10_i32 : i32
  // CHECK-NEXT: %5 = arith.remui %arg2, %c10_i32 : i32
  // CHECK-NEXT: %6 = arith.muli %4, %c2_i32 : i32
  // CHECK-NEXT: %7 = arith.subi %0, %6 : i32
  // CHECK-NEXT: %8 = arith.minsi %7, %c2_i32 : i32
  // CHECK-NEXT: %9 = arith.remui %5, %8 : i32
  // CHECK-NEXT: %10 = arith.addi %6, %9 : i32
  // CHECK-NEXT: %11 = arith.divui %5, %8 : i32
  // CHECK-NEXT: %12 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK-NEXT: %13 = arith.shrui %12, %c5_i32 : i32
  // CHECK-NEXT: %14 = arith.addi %13, %c1_i32 : i32
  // CHECK-NEXT: %15 = arith.minsi %14, %c1_i32 : i32
  // CHECK-NEXT: scf.for %arg3 = %13 to %15 step %c1_i32  : i32 {
  // CHECK-NEXT: %16 = arith.andi %12, %c31_i32 : i32
  // CHECK-NEXT: %17 = arith.cmpi eq, %16, %c0_i32 : i32
  // CHECK-NEXT: scf.if %17 {
  // CHECK-NEXT: %18 = arith.extsi %11 : i32 to i64
  // CHECK-NEXT: %19 = arith.extsi %10 : i32 to i64
  // CHECK-NEXT: %20 = arith.muli %19, %c32_i64 : i64
  // CHECK-NEXT: %21 = arith.addi %20, %18 : i64
  // CHECK-NEXT: %22 = llvm.getelementptr inbounds %arg1[%21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.store %0, %22 : i32, !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile.kernel @tiles(%rows: memref<1xi32>, %y: memref<32x32xi32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %number = tile.load %rows[%c0] : memref<1xi32> to i32
    %count = arith.index_cast %number : i32 to index
    tile.tiles (%i, %j) below (%count, %c5) band 2 {
      tile.rows %row below %c1 extent 4 {
        tile.store %number, %y[%i, %j] : i32 to memref<32x32xi32>
      }
    }
    tile.return
  }
}
