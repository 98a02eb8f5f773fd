// Pipelines of warps that copy and multiply: cp.async, ldmatrix, mma.sync.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

!tile = !tile.buffer<16x64xbf16, swizzled>
!acc = !tile.accumulator<16x16>

gpu.module @kernels {
  // 3 stages of 2 KB + 2 KB; the staged tile takes the place of the ring.
  // CHECK-LABEL: llvm.func @three_stages(
  // CHECK-SAME: %[[A:arg[0-9]+]]: !llvm.ptr<1>
  // CHECK-NEXT: %arg1:
  // CHECK-NEXT: attributes
  // CHECK-NEXT: tile.launch
  // CHECK-NEXT: shared_bytes = 12288>
  // CHECK-DAG: %[[RING:.*]] = llvm.mlir.addressof @tile_shared
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
  // CHECK-DAG: %[[C40:.*]] = arith.constant 40 : i32
  // CHECK-DAG: %[[C72:.*]] = arith.constant 72 : i32

  // Two steps ahead; a step that there is not is an empty group.
  // CHECK: nvvm.barrier id = %[[C1]] number_of_threads = %[[C32]]
  // CHECK: scf.for %[[STEP:.*]] = %[[C0]] to %[[C2]] step %[[C1]]
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[STEP]], %[[C2]]
  // CHECK: scf.if %[[ANY]] {
  // The first piece: where it lies in the tensor, or nothing of it.
  // CHECK-DAG: %[[IN_WIDTH:.*]] = arith.cmpi slt, %{{.*}}, %[[C72]]
  // CHECK-DAG: %[[IN_ROWS:.*]] = arith.cmpi slt, %{{.*}}, %[[C40]]
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[IN_ROWS]], %[[IN_WIDTH]]
  // CHECK: %[[PLACE:.*]] = arith.select %[[INSIDE]], %{{.*}}, %c0_i64 : i64
  // CHECK: %[[FROM:.*]] = llvm.getelementptr %[[A]][%[[PLACE]]]
  // CHECK: %[[BYTES:.*]] = arith.select %[[INSIDE]], %[[C16]], %[[C0]]
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[FROM]], 16, cache = cg, %[[BYTES]]
  // One warp copies 16 rows in 4 turns, then 8 rows in 2, into the second half.
  // CHECK-COUNT-3: nvvm.cp.async.shared.global
  // CHECK: llvm.getelementptr %{{.*}}[1024]
  // CHECK-COUNT-2: nvvm.cp.async.shared.global
  // CHECK-NOT: nvvm.cp.async.shared.global
  // CHECK: }
  // CHECK-NEXT: nvvm.cp.async.commit.group

  // CHECK: %{{.*}}:2 = scf.for %[[NOW:.*]] = %[[C0]] to %[[C2]] step %[[C1]] iter_args(%[[BEFORE:.*]] = %[[ZERO]], %{{.*}} = %[[C0]])
  // CHECK-NEXT: -> (!llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, i32) : i32 {
  // CHECK-NEXT: nvvm.cp.async.wait.group 1
  // CHECK-NEXT: nvvm.barrier id = %[[C1]] number_of_threads = %[[C32]]
  // CHECK: %[[LATER:.*]] = arith.addi %[[NOW]], %[[C2]]
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[LATER]], %[[C2]]
  // CHECK: scf.if %[[MORE]] {
  // CHECK-COUNT-6: nvvm.cp.async.shared.global
  // CHECK: nvvm.cp.async.commit.group
  // 16 x 16 outputs are 2 fragments, 64 of the depth 4 products of each.
  // CHECK: llvm.extractvalue %[[BEFORE]][7]
  // CHECK: %[[LEFT:.*]] = nvvm.ldmatrix %{{.*}} {{.*}}num = 4
  // CHECK: %[[L0:.*]] = llvm.extractvalue %[[LEFT]][0]
  // CHECK: %[[L3:.*]] = llvm.extractvalue %[[LEFT]][3]
  // CHECK: %[[RIGHT:.*]] = nvvm.ldmatrix
  // CHECK: %[[R0:.*]] = llvm.extractvalue %[[RIGHT]][0]
  // CHECK: %[[R1:.*]] = llvm.extractvalue %[[RIGHT]][1]
  // CHECK: %[[R2:.*]] = llvm.extractvalue %[[RIGHT]][2]
  // CHECK: %[[R3:.*]] = llvm.extractvalue %[[RIGHT]][3]
  // CHECK: nvvm.mma.sync A[%[[L0]], %{{.*}}, %[[L3]]] B[%[[R0]], %[[R1]]]
  // CHECK-NEXT: multiplicandAPtxType = #nvvm.mma_type<bf16>
  // CHECK-NEXT: m = 16, n = 8, k = 16
  // CHECK: nvvm.mma.sync A[%[[L0]], %{{.*}}, %[[L3]]] B[%[[R2]], %[[R3]]]
  // CHECK-COUNT-6: nvvm.mma.sync
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: scf.yield
  // CHECK: }
  // The products of all warps are done with the ring.
  // CHECK-NEXT: nvvm.barrier id = %[[C1]]
  tile.kernel @three_stages(%a: memref<40x72xbf16>, %b: memref<16x72xbf16>, %out: memref<40x16xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 3, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !acc
    %sum = tile.pipeline %c2 init %zero : !acc produce {
    ^bb0(%step: index, %left: !tile, %right: !tile):
      %k = arith.muli %step, %c64 : index
      tile.copy %a[%c16, %k] to %left[0, 16] : memref<40x72xbf16> to !tile
      tile.copy %b[%c0, %k] to %right[8, 8] : memref<16x72xbf16> to !tile
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile, %right: !tile, %before: !acc):
      %after = tile.mma %left, %right, %before : !tile, !tile, !acc
      tile.yield %after : !acc
    }
    %staged = tile.stage %sum[0] : !acc to !tile.buffer<16x16xf32, padded>
    tile.rows %row below %c16 extent 16 {
      %value = tile.load %staged[%row, %c0] : !tile.buffer<16x16xf32, padded> to f32
      tile.store %value, %out[%row, %c0] : f32 to memref<40x16xf32>
    }
    tile.return
  }

  // Rows that 8 or 4 bytes divide; with one stage nothing is ahead.
  // CHECK-LABEL: llvm.func @narrow_copies(
  // CHECK: scf.for
  // CHECK: nvvm.barrier
  // CHECK: scf.if
  // CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.*}}, 8, cache = ca
  // CHECK-COUNT-16: nvvm.cp.async.shared.global %{{.*}}, 4, cache = ca
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: nvvm.barrier
  // CHECK: nvvm.ldmatrix
  // f16 operands are pairs.
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: nvvm.mma.sync {{.*}}
  // CHECK-NEXT: : (vector<2xf16>, vector<2xf16>, f32)
  tile.kernel @narrow_copies(%a: memref<16x36xf16>, %b: memref<16x34xf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zero = tile.zero : !acc
    %sum = tile.pipeline %c2 init %zero : !acc produce {
    ^bb0(%step: index, %left: !tile.buffer<16x64xf16, swizzled>, %right: !tile.buffer<16x64xf16, swizzled>):
      tile.copy %a[%c0, %c0] to %left[0, 16] : memref<16x36xf16> to !tile.buffer<16x64xf16, swizzled>
      tile.copy %b[%c0, %c0] to %right[0, 16] : memref<16x34xf16> to !tile.buffer<16x64xf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<16x64xf16, swizzled>, %right: !tile.buffer<16x64xf16, swizzled>, %before: !acc):
      %after = tile.mma %left, %right, %before : !tile.buffer<16x64xf16, swizzled>, !tile.buffer<16x64xf16, swizzled>, !acc
      tile.yield %after : !acc
    }
    tile.return
  }
}
