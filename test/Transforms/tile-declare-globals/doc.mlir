// Two kernels look up the same table: one constant for both. The second takes shared memory as well.
// RUN: block-opt %s --tile-declare-globals | FileCheck %s
// RUN: block-opt %s --tile-declare-globals -o %t && block-opt %t --tile-declare-globals | diff %t -

gpu.module @kernels {
  // CHECK: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // CHECK-NEXT: llvm.mlir.global internal constant @tile_table_0(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) {addr_space = 1 : i32, alignment = 16 : i64}
  // CHECK-NEXT: : !llvm.array<2 x f32>
  // CHECK-NOT: llvm.mlir.global
  // CHECK-LABEL: tile.kernel @first(
  // CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @tile_table_0 : !llvm.ptr<1>
  // CHECK-NEXT: %[[TABLE:.*]] = builtin.unrealized_conversion_cast %[[ADDRESS]] : !llvm.ptr<1> to memref<2xf32>
  // CHECK: tile.load %[[TABLE]][
  // CHECK-LABEL: tile.kernel @second(
  // CHECK: llvm.mlir.addressof @tile_table_0 : !llvm.ptr<1>
  tile.kernel @first(%y: memref<2xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c2 = arith.constant 2 : index
    %table = tile.table dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>
    tile.rows %row below %c2 grid {
      %value = tile.load %table[%row] : memref<2xf32> to f32
      tile.store %value, %y[%row] : f32 to memref<2xf32>
    }
    tile.return
  }
  tile.kernel @second(%y: memref<2xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 16 : i64} {
    %c2 = arith.constant 2 : index
    %table = tile.table dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>
    tile.rows %row below %c2 grid {
      %value = tile.load %table[%row] : memref<2xf32> to f32
      tile.store %value, %y[%row] : f32 to memref<2xf32>
    }
    tile.return
  }
}
