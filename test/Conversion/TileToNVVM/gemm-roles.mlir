// Pipelines between warps with roles: tensor maps, mbarriers, wgmma.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

!left = !tile.buffer<128x64xbf16, swizzled>
!right = !tile.buffer<16x64xbf16, swizzled>
!acc = !tile.accumulator<128x16>

gpu.module @kernels {
  // A ring of 2 x (16 + 2 KB) and 4 barriers, then 128 x (16 x 4 + 16) bytes.
  // CHECK-LABEL: llvm.func @two_groups(
  // CHECK-SAME: %[[A:arg0]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
  // CHECK-NEXT: %arg1:
  // CHECK-NEXT: %arg2:
  // CHECK-NEXT: nvvm.reqntid = array<i32: 384, 1, 1>
  // CHECK-NEXT: <kind = tensor_map, operand = 0, box = [128, 64]>
  // CHECK-SAME: <kind = tensor_map, operand = 1, box = [8, 64]>
  // CHECK-NEXT: shared_bytes = 50176>

  // One thread makes the barriers: one arrival fills, eight warps empty.
  // CHECK-DAG: %[[STATE:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i32> : 
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c8_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c8_i32
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.barrier{{$}}

  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: %[[COPIES:.*]] = arith.cmpi uge, %[[WARP]], %c8_i32
  // CHECK: scf.if %[[COPIES]] {
  // CHECK-NEXT: nvvm.setmaxregister decrease 40
  // CHECK: arith.cmpi eq, %[[WARP]], %c8_i32
  // CHECK: scf.if
  // CHECK: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
  // CHECK: scf.if %[[ELECTED]] {
  // CHECK-NOT: wgmma
  // CHECK: llvm.load %[[STATE]]
  // CHECK: scf.for
  // CHECK: arith.xori %{{.*}}, %c1_i32
  // CHECK: nvvm.mbarrier.try_wait.parity
  // 128 rows and twice 8 rows of 128 bytes.
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c18432_i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[A]], %[[FULL]], box[%{{.*}}, %c0_i32]
  // CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: scf.yield
  // CHECK: llvm.store %{{.*}}, %[[STATE]]

  // CHECK: } else {
  // CHECK-NEXT: nvvm.setmaxregister increase 232
  // CHECK-NOT: cp.async.bulk
  // CHECK: llvm.load %[[STATE]]
  // CHECK: scf.for
  // CHECK: nvvm.mbarrier.try_wait.parity
  // CHECK: nvvm.wgmma.fence.aligned
  // CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <col>]
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  // CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
  // The stage before is free, not this one.
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive
  // Warps stage rows for themselves.
  // CHECK: nvvm.bar.warp.sync
  // CHECK-COUNT-4: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK: nvvm.bar.warp.sync
  tile.kernel @two_groups(%a: memref<128x128xbf16>, %b: memref<16x128xbf16>, %out: memref<128x16xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = tile.zero : !acc
    %sum = tile.pipeline %c2 init %zero : !acc produce {
    ^bb0(%step: index, %left: !left, %right: !right):
      %k = arith.muli %step, %c64 : index
      tile.copy %a[%c0, %k] to %left[0, 128] : memref<128x128xbf16> to !left
      tile.copy %b[%c0, %k] to %right[0, 8] : memref<16x128xbf16> to !right
      tile.copy %b[%c8, %k] to %right[8, 8] : memref<16x128xbf16> to !right
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !left, %right: !right, %before: !acc):
      %after = tile.mma %left, %right, %before : !left, !right, !acc
      tile.yield %after : !acc
    }
    %staged = tile.stage %sum[0] : !acc to !tile.buffer<128x16xf32, padded>
    tile.rows %row below %c128 extent 128 {
      %value = tile.load %staged[%row, %c0] : !tile.buffer<128x16xf32, padded> to f32
      tile.store %value, %out[%row, %c0] : f32 to memref<128x16xf32>
    }
    tile.return
  }

  // One warpgroup that computes has registers enough. Branches announce what
  // they copy, and the arrival comes last.
  // CHECK-LABEL: llvm.func @two_sources(
  // CHECK-NOT: setmaxregister
  // CHECK: nvvm.elect.sync
  // CHECK: scf.if %{{.*}} {
  // CHECK: nvvm.mbarrier.expect_tx %{{.*}}, %c16384_i32
  // CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: } else {
  // CHECK: nvvm.mbarrier.expect_tx %{{.*}}, %c16384_i32
  // CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: }
  // CHECK: nvvm.mbarrier.arrive %
  // CHECK: nvvm.wgmma.fence.aligned
  tile.kernel @two_sources(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %a2: memref<64x8xf16>, %b2: memref<64x8xf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c2 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x64xf16, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>):
      %now = arith.cmpi slt, %step, %c1 : index
      scf.if %now {
        tile.copy %a[%c0, %c0] to %left[0, 64] : memref<64x64xf16> to !tile.buffer<64x64xf16, swizzled>
        tile.copy %b[%c0, %c0] to %right[0, 64] : memref<64x64xf16> to !tile.buffer<64x64xf16, swizzled>
      } else {
        tile.copy %a2[%c0, %c0] to %left[0, 64] : memref<64x8xf16> to !tile.buffer<64x64xf16, swizzled>
        tile.copy %b2[%c0, %c0] to %right[0, 64] : memref<64x8xf16> to !tile.buffer<64x64xf16, swizzled>
      }
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x64xf16, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>, %before: !tile.accumulator<64x64>):
      %after = tile.mma %left, %right, %before : !tile.buffer<64x64xf16, swizzled>, !tile.buffer<64x64xf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    tile.return
  }

  // Products that are complete at once free their own stage.
  // CHECK-LABEL: llvm.func @mma_with_roles(
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: } else {
  // CHECK: nvvm.mbarrier.try_wait.parity
  // CHECK: nvvm.mma.sync
  // CHECK: nvvm.bar.warp.sync
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive
  // CHECK-NOT: wgmma
  // CHECK: llvm.return
  tile.kernel @mma_with_roles(%a: memref<16x64xbf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = tma, warps = 1, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %both: !right):
      tile.copy %a[%c0, %c0] to %both[0, 16] : memref<16x64xbf16> to !right
      tile.yield
    } consume {
    ^bb0(%step: index, %both: !right, %before: !tile.accumulator<16x16>):
      %after = tile.mma %both, %both, %before : !right, !right, !tile.accumulator<16x16>
      tile.yield %after : !tile.accumulator<16x16>
    }
    tile.return
  }
}
