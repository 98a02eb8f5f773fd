// The left operand of wgmma in registers, and products that are waited for.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_90a" | FileCheck %s

// The producer fills the tile that stays, then those that pass.
// CHECK-LABEL: llvm.func @attention
// CHECK: nvvm.setmaxregister decrease
// CHECK: nvvm.elect.sync
// CHECK: scf.for
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK:   nvvm.cp.async.bulk.tensor
// CHECK:   scf.for
// CHECK:     nvvm.mbarrier.try_wait.parity
// CHECK:     nvvm.cp.async.bulk.tensor
// CHECK-NOT: wgmma
// CHECK: nvvm.setmaxregister increase
// The first step begins with no sums.
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// Registers are ready before the fence.
// CHECK: llvm.fptrunc
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att
// CHECK-NEXT: "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}$31}, {$32, $33, $34, $35}, $36, 1, 1, 1, 1;"
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
gpu.module @kernels {
  tile.kernel @attention(%a: memref<128x64xbf16>, %out: memref<128x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 1, whole_rows = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<128x64>
    %all = tile.pipeline %c1 stages 1 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %q[0, 128] : memref<128x64xbf16> to !tile.buffer<128x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>, %before: !tile.accumulator<128x64>):
      %inner = tile.pipeline %c2 init %before : !tile.accumulator<128x64> produce {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>):
        tile.copy %a[%k, %c0] to %b[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<128x64>):
        %none = tile.zero : !tile.accumulator<128x64>
        %s = tile.mma %q, %b, %none : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        %t = tile.settle %s : !tile.accumulator<128x64>
        %next = tile.mma %t, %b depth_first, %old : !tile.accumulator<128x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        tile.yield %next : !tile.accumulator<128x64>
      }
      tile.yield %inner : !tile.accumulator<128x64>
    }
    %staged = tile.stage %all[0] : !tile.accumulator<128x64> to !tile.buffer<128x64xf32, padded>
    tile.rows %row below %c128 extent 128 {
      tile.columns %column = %c0 to %c64 {
        %e = tile.load %staged[%row, %column] : !tile.buffer<128x64xf32, padded> to f32
        tile.store %e, %out[%row, %column] : f32 to memref<128x64xf32>
      }
    }
    tile.return
  }
}
