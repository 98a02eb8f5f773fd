// Elements of tensors of any rank, by their number in memory, as they are there.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 | FileCheck %s
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @f
  tile.kernel @f(%x: memref<2x3x5xbf16>, %t: memref<7xi1>, %s: memref<f64>, %y: memref<2x3x5xbf16>, %u: memref<7xi1>, %v: memref<f64>) attributes {outputs = 3 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    tile.rows %row below %c7 grid {
      tile.columns %i = %c0 to %c7 {
        // CHECK: %[[A:.*]] = llvm.getelementptr inbounds %arg0[%[[N:.*]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
        // CHECK-NEXT: %[[X:.*]] = llvm.load %[[A]] : !llvm.ptr<1> -> bf16
        %0 = tile.load %x[%i] : memref<2x3x5xbf16> to bf16
        // CHECK: llvm.store %[[X]], %{{.*}} : bf16, !llvm.ptr<1>
        tile.store %0, %y[%i] : bf16 to memref<2x3x5xbf16>
        // A truth value is a byte.
        // CHECK: %[[B:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i8
        // CHECK: %[[T:.*]] = arith.cmpi ne, %[[B]], %{{.*}} : i8
        %1 = tile.load %t[%i] : memref<7xi1> to i1
        // CHECK: %[[E:.*]] = arith.extui %[[T]] : i1 to i8
        // CHECK: llvm.store %[[E]], %{{.*}} : i8, !llvm.ptr<1>
        tile.store %1, %u[%i] : i1 to memref<7xi1>
        // CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> f64
        %2 = tile.load %s[%c0] : memref<f64> to f64
        tile.store %2, %v[%c0] : f64 to memref<f64>
      }
    }
    tile.return
  }
}
