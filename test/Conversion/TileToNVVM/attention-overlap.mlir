// Deferred products run beside the first ones of the next step, and two warpgroups
// take turns at issuing.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_90a" | FileCheck %s

// The buffers of deferred products have barriers of their own.
// CHECK-LABEL: llvm.func @attention
// CHECK-COUNT-10: nvvm.mbarrier.init
// CHECK: nvvm.setmaxregister decrease
// CHECK: scf.for
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK:   nvvm.mbarrier.arrive.expect_tx
// CHECK:   nvvm.cp.async.bulk.tensor
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK:   nvvm.mbarrier.arrive.expect_tx
// CHECK:   nvvm.cp.async.bulk.tensor
// CHECK: nvvm.setmaxregister increase
// The second warpgroup lets the first begin.
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"
// Step 0: nothing to run beside.
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mbarrier.arrive
// CHECK: llvm.fptrunc
// CHECK-NOT: inline_asm
// CHECK: scf.for
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK:   nvvm.barrier id = {{.*}} number_of_threads =
// CHECK:   nvvm.wgmma.fence.aligned
// CHECK:   nvvm.wgmma.mma_async
// CHECK:   nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: nvvm.wgmma.wait.group
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.wgmma.wait.group
// CHECK:   nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}}
// CHECK-NEXT: "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// CHECK:   nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: nvvm.wgmma.wait.group
// CHECK:   llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"
// The first products are there, the deferred ones may run.
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:   nvvm.mbarrier.arrive
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:   nvvm.mbarrier.arrive
// CHECK:   llvm.fptrunc
// CHECK:   scf.yield
// The last step: rows past the end are cleared before they are multiplied.
// CHECK: nvvm.barrier id =
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: scf.if
// CHECK:   scf.for
// CHECK:     llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
// CHECK:   nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK:   nvvm.barrier id =
// CHECK: llvm.inline_asm {{.*}}
// CHECK-NEXT: "wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mbarrier.arrive
gpu.module @kernels {
  tile.kernel @attention(%a: memref<128x64xbf16>, %steps: memref<?x64xbf16>, %out: memref<128x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 1, whole_rows = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.dim %steps, 0 : memref<?x64xbf16>
    %zero = tile.zero : !tile.accumulator<128x64>
    %all = tile.pipeline %c1 stages 1 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %q[0, 128] : memref<128x64xbf16> to !tile.buffer<128x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>, %before: !tile.accumulator<128x64>):
      %inner = tile.pipeline %rows init %before : !tile.accumulator<128x64> produce {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>):
        %row = arith.muli %k, %c64 : index
        tile.copy %a[%row, %c0] to %b[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %steps[%row, %c0] below %rows to %c[0, 64] : memref<?x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<128x64>):
        %none = tile.zero : !tile.accumulator<128x64>
        %s = tile.mma %q, %b, %none : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        %t = tile.settle %s : !tile.accumulator<128x64>
        %sums = tile.settle %old : !tile.accumulator<128x64>
        %next = tile.mma %t, %c depth_first, %sums deferred : !tile.accumulator<128x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        tile.yield %next : !tile.accumulator<128x64>
      }
      tile.yield %inner : !tile.accumulator<128x64>
    }
    %staged = tile.stage %all[0] : !tile.accumulator<128x64> to !tile.buffer<128x64xf32, padded>
    tile.rows %row below %c64 extent 128 {
      tile.columns %column = %c0 to %c64 {
        %e = tile.load %staged[%row, %column] : !tile.buffer<128x64xf32, padded> to f32
        tile.store %e, %out[%row, %column] : f32 to memref<128x64xf32>
      }
    }
    tile.return
  }
}
