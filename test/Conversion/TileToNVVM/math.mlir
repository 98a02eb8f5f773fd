// Functions become programs without calls; instructions stay.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize | FileCheck %s
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize | FileCheck %s --check-prefix=NONE
// NONE-NOT: math.{{(cos|erf|exp|exp2|log|log2|rsqrt|sin|tanh) }}

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @exp(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %12 = math.fma %11, %cst_1, %cst_0 : f32
  // CHECK: %14 = arith.bitcast %12 : f32 to i32
  // CHECK: %17 = math.fma %11, %cst_1, %16 : f32
  // CHECK-NEXT: %18 = math.fma %11, %cst, %17 : f32
  // CHECK-NEXT: %19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%18) : (f32) -> f32
  // CHECK: %24 = arith.bitcast %23 : i32 to f32
  // CHECK: %28 = arith.bitcast %27 : i32 to f32
  tile.kernel @exp(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.exp %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @exp2(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %12 = math.fma %11, %cst_0, %cst : f32
  // CHECK: %14 = arith.bitcast %12 : f32 to i32
  // CHECK: %17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%16) : (f32) -> f32
  // CHECK: %22 = arith.bitcast %21 : i32 to f32
  // CHECK: %26 = arith.bitcast %25 : i32 to f32
  tile.kernel @exp2(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.exp2 %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @log(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %12 = arith.select %10, %11, %9 : f32
  // CHECK-NEXT: %13 = arith.select %10, %cst_14, %cst_13 : f32
  // CHECK-NEXT: %14 = arith.bitcast %12 : f32 to i32
  // CHECK: %19 = arith.bitcast %18 : i32 to f32
  // CHECK: %21 = math.fma %cst_11, %20, %cst_10 : f32
  // CHECK-NEXT: %22 = math.fma %21, %20, %cst_9 : f32
  // CHECK-NEXT: %23 = math.fma %22, %20, %cst_8 : f32
  // CHECK-NEXT: %24 = math.fma %23, %20, %cst_7 : f32
  // CHECK-NEXT: %25 = math.fma %24, %20, %cst_6 : f32
  // CHECK-NEXT: %26 = math.fma %25, %20, %cst_5 : f32
  // CHECK-NEXT: %27 = math.fma %26, %20, %cst_4 : f32
  // CHECK: %29 = math.fma %27, %20, %cst_3 : f32
  // CHECK: %32 = math.fma %29, %28, %20 : f32
  // CHECK-NEXT: %33 = math.fma %31, %cst_2, %32 : f32
  // CHECK: %35 = arith.select %34, %cst_1, %9 : f32
  // CHECK: %37 = arith.select %36, %cst_0, %35 : f32
  // CHECK: %39 = arith.select %38, %33, %37 : f32
  // CHECK: %41 = arith.select %40, %39, %37 : f32
  tile.kernel @log(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.log %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @log2(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %12 = arith.select %10, %11, %9 : f32
  // CHECK-NEXT: %13 = arith.select %10, %cst_14, %cst_13 : f32
  // CHECK-NEXT: %14 = arith.bitcast %12 : f32 to i32
  // CHECK: %19 = arith.bitcast %18 : i32 to f32
  // CHECK: %21 = math.fma %cst_11, %20, %cst_10 : f32
  // CHECK-NEXT: %22 = math.fma %21, %20, %cst_9 : f32
  // CHECK-NEXT: %23 = math.fma %22, %20, %cst_8 : f32
  // CHECK-NEXT: %24 = math.fma %23, %20, %cst_7 : f32
  // CHECK-NEXT: %25 = math.fma %24, %20, %cst_6 : f32
  // CHECK-NEXT: %26 = math.fma %25, %20, %cst_5 : f32
  // CHECK-NEXT: %27 = math.fma %26, %20, %cst_4 : f32
  // CHECK: %29 = math.fma %27, %20, %cst_3 : f32
  // CHECK: %32 = math.fma %29, %28, %20 : f32
  // CHECK: %36 = arith.select %35, %cst_1, %9 : f32
  // CHECK: %38 = arith.select %37, %cst_0, %36 : f32
  // CHECK: %40 = arith.select %39, %34, %38 : f32
  // CHECK: %42 = arith.select %41, %40, %38 : f32
  tile.kernel @log2(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.log2 %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @tanh(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.absf %9 : f32
  // CHECK: %12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%11) : (f32) -> f32
  // CHECK: %14 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%13) : (f32) -> f32
  // CHECK-NEXT: %15 = math.fma %14, %cst_5, %cst_6 : f32
  // CHECK-NEXT: %16 = math.copysign %15, %9 : f32
  // CHECK: %18 = math.fma %cst_4, %17, %cst_3 : f32
  // CHECK-NEXT: %19 = math.fma %18, %17, %cst_2 : f32
  // CHECK-NEXT: %20 = math.fma %19, %17, %cst_1 : f32
  // CHECK-NEXT: %21 = math.fma %20, %17, %cst_0 : f32
  // CHECK: %23 = math.fma %22, %9, %9 : f32
  // CHECK: %25 = arith.select %24, %23, %16 : f32
  tile.kernel @tanh(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.tanh %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @erf(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.absf %9 : f32
  // CHECK: %13 = math.fma %cst_12, %12, %cst_11 : f32
  // CHECK-NEXT: %14 = math.fma %13, %12, %cst_10 : f32
  // CHECK-NEXT: %15 = math.fma %14, %12, %cst_9 : f32
  // CHECK-NEXT: %16 = math.fma %15, %12, %cst_8 : f32
  // CHECK-NEXT: %17 = math.fma %16, %12, %cst_7 : f32
  // CHECK: %20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%19) : (f32) -> f32
  // CHECK: %22 = math.copysign %21, %9 : f32
  // CHECK: %24 = math.fma %cst_5, %23, %cst_4 : f32
  // CHECK-NEXT: %25 = math.fma %24, %23, %cst_3 : f32
  // CHECK-NEXT: %26 = math.fma %25, %23, %cst_2 : f32
  // CHECK-NEXT: %27 = math.fma %26, %23, %cst_1 : f32
  // CHECK-NEXT: %28 = math.fma %27, %23, %cst_0 : f32
  // CHECK-NEXT: %29 = math.fma %28, %9, %9 : f32
  // CHECK: %31 = arith.select %30, %29, %22 : f32
  tile.kernel @erf(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.erf %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @rsqrt(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%9) : (f32) -> f32
  // CHECK: %13 = math.fma %12, %10, %cst_0 : f32
  // CHECK: %15 = math.fma %14, %13, %10 : f32
  // CHECK-NEXT: %16 = math.absf %13 : f32
  // CHECK: %18 = arith.select %17, %15, %10 : f32
  tile.kernel @rsqrt(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.rsqrt %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @sin(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.fma %9, %cst_13, %cst_12 : f32
  // CHECK: %12 = arith.bitcast %10 : f32 to i32
  // CHECK: %15 = math.fma %14, %cst_11, %9 : f32
  // CHECK-NEXT: %16 = math.fma %14, %cst_10, %15 : f32
  // CHECK-NEXT: %17 = math.fma %14, %cst_9, %16 : f32
  // CHECK: %19 = math.fma %cst_8, %18, %cst_7 : f32
  // CHECK-NEXT: %20 = math.fma %19, %18, %cst_6 : f32
  // CHECK-NEXT: %21 = math.fma %20, %18, %cst_5 : f32
  // CHECK: %23 = math.fma %22, %17, %17 : f32
  // CHECK-NEXT: %24 = math.fma %cst_4, %18, %cst_3 : f32
  // CHECK-NEXT: %25 = math.fma %24, %18, %cst_2 : f32
  // CHECK-NEXT: %26 = math.fma %25, %18, %cst_1 : f32
  // CHECK-NEXT: %27 = math.fma %26, %18, %cst_0 : f32
  // CHECK-NEXT: %28 = math.fma %27, %18, %cst : f32
  // CHECK: %31 = arith.select %30, %28, %23 : f32
  // CHECK: %34 = arith.bitcast %31 : f32 to i32
  // CHECK: %36 = arith.bitcast %35 : i32 to f32
  tile.kernel @sin(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.sin %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @cos(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.fma %9, %cst_13, %cst_12 : f32
  // CHECK: %12 = arith.bitcast %10 : f32 to i32
  // CHECK: %14 = math.fma %13, %cst_11, %9 : f32
  // CHECK-NEXT: %15 = math.fma %13, %cst_10, %14 : f32
  // CHECK-NEXT: %16 = math.fma %13, %cst_9, %15 : f32
  // CHECK: %18 = math.fma %cst_8, %17, %cst_7 : f32
  // CHECK-NEXT: %19 = math.fma %18, %17, %cst_6 : f32
  // CHECK-NEXT: %20 = math.fma %19, %17, %cst_5 : f32
  // CHECK: %22 = math.fma %21, %16, %16 : f32
  // CHECK-NEXT: %23 = math.fma %cst_4, %17, %cst_3 : f32
  // CHECK-NEXT: %24 = math.fma %23, %17, %cst_2 : f32
  // CHECK-NEXT: %25 = math.fma %24, %17, %cst_1 : f32
  // CHECK-NEXT: %26 = math.fma %25, %17, %cst_0 : f32
  // CHECK-NEXT: %27 = math.fma %26, %17, %cst : f32
  // CHECK: %31 = arith.select %30, %27, %22 : f32
  // CHECK: %34 = arith.bitcast %31 : f32 to i32
  // CHECK: %36 = arith.bitcast %35 : i32 to f32
  tile.kernel @cos(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.cos %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @sqrt(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.sqrt %9 : f32
  tile.kernel @sqrt(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.sqrt %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @floor(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.floor %9 : f32
  tile.kernel @floor(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.floor %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @roundeven(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.roundeven %9 : f32
  tile.kernel @roundeven(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.roundeven %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
  // CHECK-LABEL: llvm.func @absf(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK: %10 = math.absf %9 : f32
  tile.kernel @absf(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %0 = tile.load %x[%row] : memref<4xf32> to f32
      %1 = math.absf %0 : f32
      tile.store %1, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}
