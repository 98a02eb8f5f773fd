// f32 products, and copies of rows with no alignment.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --canonicalize --cse | FileCheck %s

!tile = !tile.buffer<8x32xf32, swizzled>
!acc = !tile.accumulator<8x8>

gpu.module @kernels {
  // One warp of 4 x 8 lanes: rows l / 8 and l / 8 + 4, column l mod 8.
  // CHECK-LABEL: llvm.func @fma(
  // CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, 16, cache = cg
  // CHECK: scf.for {{.*}} -> (!llvm.struct<(f32, f32)>, i32)
  // 32 of the depth are 8 chunks of 4: from three rows, 8 multiply-adds.
  // CHECK: scf.for %{{.*}} = %c0_i32 to %c8_i32 step %c1_i32 iter_args
  // CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK-COUNT-8: llvm.intr.fma
  // CHECK-NOT: llvm.intr.fma
  tile.kernel @fma(%a: memref<8x64xf32>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = fma, copies = async, warps = 1, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %zero = tile.zero : !acc
    %sum = tile.pipeline %c2 init %zero : !acc produce {
    ^bb0(%step: index, %both: !tile):
      %k = arith.muli %step, %c32 : index
      tile.copy %a[%c0, %k] to %both[0, 8] : memref<8x64xf32> to !tile
      tile.yield
    } consume {
    ^bb0(%step: index, %both: !tile, %before: !acc):
      %after = tile.mma %both, %both, %before : !tile, !tile, !acc
      tile.yield %after : !acc
    }
    tile.return
  }

  // Two elements at a time, each of them or 0; no cp.async at all.
  // CHECK-LABEL: llvm.func @plain(
  // CHECK-NOT: cp.async
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c16_i32 step %c1_i32
  // CHECK: %[[LOADED:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i16
  // CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %[[LOADED]], %c0_i16
  // CHECK: %[[LOW:.*]] = arith.extui %[[FIRST]] : i16 to i32
  // CHECK: %[[LOADED2:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i16
  // CHECK: %[[SECOND:.*]] = arith.select %{{.*}}, %[[LOADED2]], %c0_i16
  // CHECK: %[[HIGH:.*]] = arith.shli
  // CHECK: %[[WORD:.*]] = arith.ori %[[LOW]], %[[HIGH]]
  // CHECK: llvm.store %[[WORD]], %{{.*}} : i32, !llvm.ptr<3>
  // CHECK-NOT: cp.async
  // CHECK: llvm.return
  tile.kernel @plain(%a: memref<3x7xbf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = plain, warps = 1, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %both: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %both[0, 16] : memref<3x7xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %both: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      %after = tile.mma %both, %both, %before : !tile.buffer<16x64xbf16, swizzled>, !tile.buffer<16x64xbf16, swizzled>, !tile.accumulator<16x16>
      tile.yield %after : !tile.accumulator<16x16>
    }
    tile.return
  }
}
