// RUN: block-opt --pass-pipeline='builtin.module(gpu.module(lower-device-to-llvm))' %s | FileCheck %s

// A number of rows, and a square root that needs no library.
gpu.module @kernels {
  llvm.func @inverse_root(%rows: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %wide = arith.extui %thread : i32 to i64
    %row = llvm.getelementptr %rows[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %sum = llvm.load %row : !llvm.ptr<1> -> f32
    %root = math.rsqrt %sum fastmath<afn> : f32
    llvm.store %root, %row : f32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func @inverse_root
// CHECK-NEXT: nvvm.read.ptx.sreg.tid.x
// CHECK-NEXT: llvm.zext
// CHECK: llvm.load
// CHECK: llvm.intr.sqrt
// CHECK: llvm.fdiv
// CHECK-NOT: math.
