// Two pipelines of the same buffers share a ring; staged tiles take its place once it is idle; a word and a row follow.
// RUN: block-opt %s --tile-allocate-shared | FileCheck %s
// RUN: block-opt %s --tile-allocate-shared -o %t && block-opt %t --tile-allocate-shared | diff %t -

gpu.module @kernels {
  // CHECK: tile.kernel @staged(%arg0: memref<16x64xbf16>) attributes
  // CHECK-NEXT: {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 2, grid = 1>,
  // CHECK-NEXT: shared_bytes = 4112 : i64, workspaces = 0 : i64} {
  // CHECK: tile.pipeline %{{.*}} at 0 init
  // CHECK: tile.stage %{{.*}}[0] at 0 :
  // CHECK: tile.scratch at 4096 :
  tile.kernel @staged(%a: memref<16x64xbf16>) attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %tile[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      %after = tile.mma %tile, %tile, %before : !tile.buffer<16x64xbf16, swizzled>, !tile.buffer<16x64xbf16, swizzled>, !tile.accumulator<16x16>
      tile.yield %after : !tile.accumulator<16x16>
    }
    %staged = tile.stage %sum[0] : !tile.accumulator<16x16> to !tile.buffer<16x16xf32, padded>
    tile.rows %row below %c1 extent 16 {
      %scratch = tile.scratch : !tile.buffer<1x4xf32>
    }
    tile.return
  }
}
