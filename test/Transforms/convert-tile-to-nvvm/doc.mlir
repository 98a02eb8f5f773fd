// The norm of rows: one warp for each row, 4 warps in a CTA.
// RUN: block-opt %s --tile-check-tiles=chip=sm_90a --tile-allocate-shared --tile-widen-columns --tile-mark-accesses --tile-declare-globals --convert-tile-to-nvvm | FileCheck %s

// All steps together.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a | FileCheck %s

// A kernel that may be launched early waits before it looks at memory.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_90a programmatic-launch=true" | FileCheck %s --check-prefix=EARLY
// EARLY-LABEL: llvm.func @rms(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg1: i32, %arg2: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg3: i32)
// EARLY-NEXT: attributes
// EARLY-NEXT: tile.launch = #tile.launch<
// EARLY-NEXT: programmatic = true>
// EARLY-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
// EARLY-NEXT: nvvm.griddepcontrol{{ +}}wait
// RUN: block-opt %s --tile-to-nvvm="chip=sm_80 programmatic-launch=true" | FileCheck %s --check-prefix=AMPERE --implicit-check-not=griddepcontrol
// AMPERE-LABEL: llvm.func @rms(

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @rms(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: i32,
  // CHECK-NEXT: %arg2: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg3: i32)
  // CHECK-NEXT: attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>,
  // CHECK-NEXT: tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = dim, operand = 0>, <kind = pointer, operand = 1>,
  // CHECK-NEXT: <kind = dim, operand = 1>], schedule = <warps = 4, grid = 132>>} {
  // CHECK: scf.for %arg4 = %4 to %arg1 step %6  : i32 {
  // CHECK: %11 = scf.for %arg5 = %10 to %c128_i32 step %c128_i32_2 iter_args(%arg6 = %cst_0) -> (f32)  : i32 {
  // CHECK: [[P0:%[0-9]+]] = llvm.getelementptr inbounds %arg0[%{{[0-9]+}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P0]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P1:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P1]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P2:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P2]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P3:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P3]] : !llvm.ptr<1> -> bf16
  // CHECK: %12 = nvvm.shfl.sync  bfly %c-1_i32, %11, %c16_i32, %c31_i32_3 : f32 -> f32
  // CHECK: %14 = nvvm.shfl.sync  bfly %c-1_i32, %13, %c8_i32, %c31_i32_3 : f32 -> f32
  // CHECK: %16 = nvvm.shfl.sync  bfly %c-1_i32, %15, %c4_i32_4, %c31_i32_3 : f32 -> f32
  // CHECK: %18 = nvvm.shfl.sync  bfly %c-1_i32, %17, %c2_i32, %c31_i32_3 : f32 -> f32
  // CHECK: %20 = nvvm.shfl.sync  bfly %c-1_i32, %19, %c1_i32, %c31_i32_3 : f32 -> f32
  // CHECK: %23 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%22) : (f32) -> f32
  // CHECK: scf.for %arg5 = %35 to %c128_i32 step %c128_i32_10  : i32 {
  // CHECK: [[P4:%[0-9]+]] = llvm.getelementptr inbounds %arg0[%{{[0-9]+}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P4]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P5:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P5]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P6:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P6]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P7:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK-NEXT: = llvm.load [[P7]] : !llvm.ptr<1> -> bf16
  // CHECK: [[P8:%[0-9]+]] = llvm.getelementptr inbounds %arg2[%{{[0-9]+}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
  // CHECK: llvm.store [[V0:%[0-9]+]], [[P8]] : bf16, !llvm.ptr<1>
  // CHECK: [[P9:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK: llvm.store [[V1:%[0-9]+]], [[P9]] : bf16, !llvm.ptr<1>
  // CHECK: [[P10:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK: llvm.store [[V2:%[0-9]+]], [[P10]] : bf16, !llvm.ptr<1>
  // CHECK: [[P11:%[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
  // CHECK: llvm.store [[V3:%[0-9]+]], [[P11]] : bf16, !llvm.ptr<1>
  // CHECK: llvm.return
  tile.kernel @rms(%x: memref<?x128xbf16>, %y: memref<?x128xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 132>} {
    %from = arith.constant 0 : index
    %to = arith.constant 128 : index
    %scale = arith.constant 0.0078125 : f32
    %rows = tile.dim %x, 0 : memref<?x128xbf16>
    tile.rows %row below %rows grid {
      %sum = tile.reduce add %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<?x128xbf16> to f32
        %square = arith.mulf %value, %value : f32
        tile.yield %square : f32
      }
      %moment = arith.mulf %sum, %scale : f32
      %factor = math.rsqrt %moment : f32
      tile.columns %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<?x128xbf16> to f32
        %scaled = arith.mulf %value, %factor : f32
        tile.store %scaled, %y[%row, %column] : f32 to memref<?x128xbf16>
      }
    }
    tile.return
  }
}
