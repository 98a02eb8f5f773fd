// One warp of four copies, by one thread, what the others multiply.
// RUN: block-opt %s --tile-specialize-warps | FileCheck %s
// RUN: block-opt %s --tile-specialize-warps -o %t && block-opt %t --tile-specialize-warps | diff %t -

gpu.module @kernels {
  // CHECK-LABEL: tile.kernel @product(
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: %[[COPIES:.*]] = arith.cmpi uge, %[[WARP]], %{{.*}} : i32
  // CHECK: scf.if %[[COPIES]] {
  // CHECK: nvvm.elect.sync
  // CHECK: tile.pipeline %{{.*}} as producer init
  // CHECK: tile.copy
  // CHECK: consume
  // CHECK-NOT: tile.mma
  // CHECK: } else {
  // CHECK: tile.pipeline %{{.*}} as consumer init
  // CHECK: tile.copy
  // CHECK: tile.mma
  // CHECK: tile.return
  tile.kernel @product(%a: memref<64x128xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c2 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>):
      %column = arith.muli %step, %c64 : index
      tile.copy %a[%c0, %column] to %tile[0, 64] : memref<64x128xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      %after = tile.mma %tile, %tile, %before : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    %staged = tile.stage %sum[0] : !tile.accumulator<64x64> to !tile.buffer<64x64xf32, padded>
    tile.return
  }
}
