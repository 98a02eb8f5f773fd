// Two CTAs share what they copy alike: half each, for both.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

!left = !tile.buffer<64x64xbf16, swizzled>
!right = !tile.buffer<128x64xbf16, swizzled>
!acc = !tile.accumulator<64x128>

gpu.module @kernels {
  // The left operand in boxes of a tile's rows, the right one in halves.
  // CHECK-LABEL: llvm.func @two_rows(
  // CHECK-NEXT: %arg1:
  // CHECK-NEXT: %arg2:
  // CHECK-NEXT: nvvm.cluster_dim = array<i32: 2, 1, 1>
  // CHECK-NEXT: <kind = tensor_map, operand = 0, box = [64, 64]>
  // CHECK-SAME: <kind = tensor_map, operand = 1, box = [64, 64]>
  // CHECK-NEXT: grid = 4

  // One arrival fills a stage; four warps of both CTAs empty it.
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c8_i32
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.cluster.arrive.relaxed
  // CHECK-NEXT: nvvm.cluster.wait

  // Three rows of tiles are two pairs, 0 and 1, then 2 and nothing.
  // CHECK: %[[CTA:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK-NEXT: %[[RANK:.*]] = arith.remui %[[CTA]], %c2_i32
  // CHECK: %[[PAIR:.*]] = arith.divui %[[CTA]], %c2_i32
  // CHECK: scf.for %{{.*}} = %[[PAIR]] to %c2_i32
  // CHECK: nvvm.mbarrier.try_wait.parity
  // All bytes that come here, whoever sends them: 64 + 128 rows.
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c24576_i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK-NOT: multicast_mask
  // CHECK: %[[HALF:.*]] = arith.muli %[[RANK]], %c64_i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%c0_i32, %[[HALF]]] multicast_mask = %c3_i16

  // Lanes 0 and 1 release the stage in CTAs 0 and 1.
  // CHECK: } else {
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
  // CHECK: %[[EMPTY:.*]] = nvvm.mapa %[[LOCAL:.*]], %[[OF:.*]] : !llvm.ptr<3> -> !llvm.ptr<7>
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive %[[EMPTY]] : !llvm.ptr<7>
  // No rows in a tile that there is not.
  // CHECK: arith.cmpi ult, %{{.*}}, %c3_i32
  // CHECK: nvvm.cluster.arrive
  // CHECK-NEXT: nvvm.cluster.wait
  // CHECK-NEXT: llvm.return
  tile.kernel @two_rows(%a: memref<192x64xbf16>, %b: memref<128x64xbf16>, %out: memref<192x128xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 4, cluster = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    tile.tiles (%i, %j) below (%c3, %c1) band 8 {
      %row = arith.muli %i, %c64 : index
      %zero = tile.zero : !acc
      %sum = tile.pipeline %c1 init %zero : !acc produce {
      ^bb0(%step: index, %left: !left, %right: !right):
        %k = arith.muli %step, %c64 : index
        tile.copy %a[%row, %k] to %left[0, 64] : memref<192x64xbf16> to !left
        tile.copy %b[%c0, %k] to %right[0, 128] : memref<128x64xbf16> to !right
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !left, %right: !right, %before: !acc):
        %after = tile.mma %left, %right, %before : !left, !right, !acc
        tile.yield %after : !acc
      }
      %staged = tile.stage %sum[0] : !acc to !tile.buffer<64x128xf32, padded>
      tile.rows %r below %c64 extent 64 {
        %global = arith.addi %row, %r : index
        %value = tile.load %staged[%r, %c0] : !tile.buffer<64x128xf32, padded> to f32
        tile.store %value, %out[%global, %c0] : f32 to memref<192x128xf32>
      }
    }
    tile.return
  }

  // What the row decides is nobody else's business; nor can a copy of 8 rows be
  // shared.
  // CHECK-LABEL: llvm.func @nothing_alike(
  // CHECK-NOT: multicast_mask
  tile.kernel @nothing_alike(%a: memref<192x64xbf16>, %b: memref<128x64xbf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 2, cluster = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    tile.tiles (%i, %j) below (%c3, %c1) band 8 {
      %zero = tile.zero : !acc
      %isFirst = arith.cmpi eq, %i, %c0 : index
      %sum = tile.pipeline %c1 init %zero : !acc produce {
      ^bb0(%step: index, %left: !left, %right: !right):
        tile.copy %a[%i, %step] to %left[0, 64] : memref<192x64xbf16> to !left
        tile.copy %b[%j, %step] to %right[0, 8] : memref<128x64xbf16> to !right
        scf.if %isFirst {
          tile.copy %b[%j, %step] to %right[0, 64] : memref<128x64xbf16> to !right
        }
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !left, %right: !right, %before: !acc):
        %after = tile.mma %left, %right, %before : !left, !right, !acc
        tile.yield %after : !acc
      }
    }
    tile.return
  }
}
