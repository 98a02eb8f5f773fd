// The values of attention's second product are given back late, its keys are not.
// RUN: block-opt %s --tile-defer-buffers | FileCheck %s
// RUN: block-opt %s --tile-defer-buffers -o %t && block-opt %t --tile-defer-buffers | diff %t -

gpu.module @kernels {
  // CHECK: tile.pipeline %c2 deferred [1] init
  tile.kernel @attention(%k: memref<128x64xbf16>, %v: memref<128x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c2 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %keys: !tile.buffer<64x64xbf16, swizzled>, %values: !tile.buffer<64x64xbf16, swizzled>):
      %row = arith.muli %step, %c64 : index
      tile.copy %k[%row, %c0] to %keys[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.copy %v[%row, %c0] to %values[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %keys: !tile.buffer<64x64xbf16, swizzled>, %values: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      %none = tile.zero : !tile.accumulator<64x64>
      %scores = tile.mma %keys, %keys, %none : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      %known = tile.settle %scores : !tile.accumulator<64x64>
      %after = tile.mma %known, %values depth_first, %before deferred : !tile.accumulator<64x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    tile.return
  }

  // A buffer that another product reads as well is given back with the others.
  // CHECK: tile.pipeline %c2 init
  tile.kernel @shared(%v: memref<128x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c2 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %values: !tile.buffer<64x64xbf16, swizzled>):
      %row = arith.muli %step, %c64 : index
      tile.copy %v[%row, %c0] to %values[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %values: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      %none = tile.zero : !tile.accumulator<64x64>
      %scores = tile.mma %values, %values, %none : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      %known = tile.settle %scores : !tile.accumulator<64x64>
      %after = tile.mma %known, %values depth_first, %before deferred : !tile.accumulator<64x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    tile.return
  }
}
