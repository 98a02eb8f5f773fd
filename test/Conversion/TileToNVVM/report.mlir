// The first lane of a warp reports by one atomic, of 32 bits of place and of detail.
// RUN: block-opt %s | block-opt --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s
// RUN: block-opt %s | FileCheck %s --check-prefix=OP

gpu.module @kernels {
  // OP: tile.kernel @indices(
  // OP-NEXT: attributes {outputs = 0 : i64, reports = #tile.reports<checked = indices, experts = 4, slots = 2>,
  // OP: tile.report %{{.*}} at %{{.*}} to %arg1 : memref<1xi64>
  // CHECK-LABEL: llvm.func @indices(
  // CHECK: workspaces = [memref<1xi64>], reports = <checked = indices, experts = 4, slots = 2>
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
  // CHECK: scf.if %[[FIRST]] {
  // CHECK: %[[FROM:.*]] = arith.maxsi %{{.*}}, %c-2147483648_i64 : i64
  // CHECK: %[[TO:.*]] = arith.minsi %[[FROM]], %c2147483647_i64 : i64
  // CHECK: %[[LOW:.*]] = arith.andi %[[TO]], %c4294967295_i64 : i64
  // CHECK: %[[LEFT:.*]] = arith.subi %c4294967295_i64, %{{.*}} : i64
  // CHECK: %[[HIGH:.*]] = arith.shli %[[LEFT]], %c32_i64 : i64
  // CHECK: %[[WORD:.*]] = arith.ori %[[HIGH]], %[[LOW]] : i64
  // CHECK: llvm.atomicrmw umax %arg1, %[[WORD]] monotonic : !llvm.ptr<1>, i64
  tile.kernel @indices(%ids: memref<8xi64>, %word: memref<1xi64>) attributes {outputs = 0 : i64, workspaces = 1 : i64, reports = #tile.reports<checked = indices, experts = 4, slots = 2>, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c8 = arith.constant 8 : index
    tile.rows %row below %c8 grid {
      %id = tile.load %ids[%row] : memref<8xi64> to i64
      tile.report %id at %row to %word : memref<1xi64>
    }
    tile.return
  }
}
