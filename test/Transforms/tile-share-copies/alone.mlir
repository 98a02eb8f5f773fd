// A kernel without a cluster has no other CTA to share with: it stays as it is.
// RUN: block-opt %s -o %t.before
// RUN: block-opt %s --tile-share-copies | diff %t.before -
gpu.module @kernels {
  tile.kernel @alone(%a: memref<192x64xbf16>, %b: memref<128x64xbf16>, %out: memref<192x128xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 4>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    tile.tiles (%i, %j) below (%c3, %c1) band 8 {
      %row = arith.muli %i, %c64 : index
      %zero = tile.zero : !tile.accumulator<64x128>
      %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x128> produce {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<128x64xbf16, swizzled>):
        tile.copy %a[%row, %c0] to %left[0, 64] : memref<192x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %b[%c0, %c0] to %right[0, 128] : memref<128x64xbf16> to !tile.buffer<128x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<128x64xbf16, swizzled>, %before: !tile.accumulator<64x128>):
        %after = tile.mma %left, %right, %before : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<128x64xbf16, swizzled>, !tile.accumulator<64x128>
        tile.yield %after : !tile.accumulator<64x128>
      }
      %staged = tile.stage %sum[0] : !tile.accumulator<64x128> to !tile.buffer<64x128xf32, padded>
      tile.rows %r below %c64 extent 64 {
        %global = arith.addi %row, %r : index
        %value = tile.load %staged[%r, %c0] : !tile.buffer<64x128xf32, padded> to f32
        tile.store %value, %out[%global, %c0] : f32 to memref<192x128xf32>
      }
    }
    tile.return
  }
}
