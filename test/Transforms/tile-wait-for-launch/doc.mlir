// On sm_90a a kernel waits for the launch before by itself; elsewhere that stays with the driver.
// RUN: block-opt %s --tile-wait-for-launch | FileCheck %s
// RUN: block-opt %s --tile-wait-for-launch -o %t && block-opt %t --tile-wait-for-launch | diff %t -

gpu.module @kernels {
  // CHECK: tile.kernel @hopper() attributes {chip = "sm_90a", outputs = 0 : i64, programmatic, schedule = #tile.schedule<warps = 1, grid = 1>, workspaces = 0 : i64} {
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}wait
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK-NEXT: tile.return
  tile.kernel @hopper() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }

  // With room for a second CTA on the multiprocessor, the next launch begins at once; with less, behind the wait.
  // CHECK: tile.kernel @small()
  // CHECK: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}wait
  tile.kernel @small() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 115712 : i64} {
    tile.return
  }

  // CHECK: tile.kernel @large()
  // CHECK: nvvm.griddepcontrol{{ +}}wait
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
  tile.kernel @large() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 115713 : i64} {
    tile.return
  }

  // CHECK: tile.kernel @ampere() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, workspaces = 0 : i64} {
  // CHECK-NEXT: tile.return
  tile.kernel @ampere() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }

  // The warp that copies brings weights first, and waits at its pipeline; others wait where they begin.
  // CHECK: tile.kernel @product(
  // CHECK-NOT: nvvm.griddepcontrol
  // CHECK: tile.pipeline %{{.*}} as producer waits
  // CHECK: } else {
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}wait
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK: tile.pipeline %{{.*}} as consumer init
  // CHECK: tile.return
  tile.kernel @product(%x: memref<64x128xbf16>, %w: memref<64x128xbf16> {tile.constant}) attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    scf.if %true {
      %0 = tile.pipeline %c2 as producer init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>):
        tile.copy %x[%c0, %step] to %left[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %w[%c0, %step] to %right[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>, %sum: !tile.accumulator<64x64>):
        tile.yield %sum : !tile.accumulator<64x64>
      }
    } else {
      %0 = tile.pipeline %c2 as consumer init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>):
        tile.copy %x[%c0, %step] to %left[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %w[%c0, %step] to %right[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>, %sum: !tile.accumulator<64x64>):
        %next = tile.mma %left, %right, %sum : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
        tile.yield %next : !tile.accumulator<64x64>
      }
    }
    tile.return
  }

  // How many steps there are stands in memory that the launch before may write: all wait where the kernel begins.
  // CHECK: tile.kernel @decided(
  // CHECK-NOT: scf.if
  // CHECK: nvvm.griddepcontrol{{ +}}wait
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK: as producer init
  tile.kernel @decided(%steps: memref<1xi32>, %w: memref<64x128xbf16> {tile.constant}) attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    scf.if %true {
      %number = tile.load %steps[%c0] : memref<1xi32> to i32
      %count = arith.index_cast %number : i32 to index
      %0 = tile.pipeline %count as producer init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %right: !tile.buffer<64x64xbf16, swizzled>):
        tile.copy %w[%c0, %step] to %right[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %right: !tile.buffer<64x64xbf16, swizzled>, %sum: !tile.accumulator<64x64>):
        tile.yield %sum : !tile.accumulator<64x64>
      }
    } else {
    }
    tile.return
  }
}
