// The parameters of device functions, and what launchers read.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize | FileCheck %s

gpu.module @kernels {
  // Sizes follow the address of their tensor; inputs are only read.
  // CHECK-LABEL: llvm.func @sizes(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: i32, %arg2: i32,
  // CHECK-NEXT: %arg3: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg4: i32)
  // CHECK-NEXT: attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>,
  // CHECK-NEXT: tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = dim, operand = 0>, <kind = dim, operand = 0, dim = 1>,
  // CHECK-NEXT: <kind = pointer, operand = 1>, <kind = dim, operand = 1, dim = 1>], schedule = <warps = 4, grid = 2>>} {
  // CHECK: scf.for %arg5 = %4 to %c8_i32 step %6  : i32 {
  // CHECK: scf.for %arg6 = %8 to %arg4 step %c32_i32  : i32 {
  // CHECK: %14 = llvm.load %13 : !llvm.ptr<1> -> bf16
  // CHECK: llvm.store %15, %21 : f32, !llvm.ptr<1>
  // CHECK: llvm.return
  tile.kernel @sizes(%x: memref<?x?x64xbf16>, %y: memref<8x?xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %batch = tile.dim %x, 0 : memref<?x?x64xbf16>
    %width = tile.dim %y, 1 : memref<8x?xf32>
    %eight = tile.dim %y, 0 : memref<8x?xf32>
    tile.rows %row below %eight grid {
      tile.columns %column = %c0 to %width {
        %value = tile.load %x[%batch, %column] : memref<?x?x64xbf16> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<8x?xf32>
      }
    }
    tile.return
  }

  // A tensor that is asked for its size alone has no address.
  // CHECK-LABEL: llvm.func @size_only(%arg0: i32, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK-NEXT: attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>,
  // CHECK-NEXT: tile.launch = #tile.launch<arguments = [<kind = dim, operand = 0>, <kind = pointer, operand = 1>], schedule = <warps = 4, grid = 2>>} {
  // CHECK: scf.for %arg2 = %4 to %c1_i32 step %6  : i32 {
  // CHECK: llvm.store %arg0, %arg1 : i32, !llvm.ptr<1>
  // CHECK: llvm.return
  tile.kernel @size_only(%x: memref<?x64xbf16>, %y: memref<1xi32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = tile.dim %x, 0 : memref<?x64xbf16>
    %number = arith.index_cast %rows : index to i32
    tile.rows %row below %c1 grid {
      tile.store %number, %y[%c0] : i32 to memref<1xi32>
    }
    tile.return
  }

  // CTAs read each other's workspaces, so those are not said to have no alias.
  // CHECK-LABEL: llvm.func @workspace(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64})
  // CHECK-NEXT: attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>,
  // CHECK-NEXT: tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = pointer, operand = 1>], schedule = <warps = 4, grid = 2>,
  // CHECK-NEXT: workspaces = [memref<4xf32>]>} {
  // CHECK: scf.for %arg2 = %4 to %c4_i32 step %6  : i32 {
  // CHECK: %9 = llvm.load %8 : !llvm.ptr<1> -> f32
  // CHECK: llvm.store %9, %14 : f32, !llvm.ptr<1>
  // CHECK: llvm.return
  tile.kernel @workspace(%y: memref<4xf32>, %w: memref<4xf32>)
      attributes {outputs = 1 : i64, workspaces = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %value = tile.load %w[%row] : memref<4xf32> to f32
      tile.store %value, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}

// The launch stays as it is.
// CHECK-LABEL: func.func @host(%arg0: tensor<?x64xbf16>) -> tensor<1xi32> {
func.func @host(%x: tensor<?x64xbf16>) -> tensor<1xi32> {
  %y = tile.launch @kernels::@size_only(%x) : (tensor<?x64xbf16>) -> tensor<1xi32>
  return %y : tensor<1xi32>
}
