// Operands with their depth first: panels of 64 columns, which tensor cores read
// transposed.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

!left = !tile.buffer<64x128xbf16, swizzled>
!right = !tile.buffer<64x64xbf16, swizzled>
!acc = !tile.accumulator<128x64>

gpu.module @kernels {
  // A box for each panel, 64 of the depth, 64 rows of the operand.
  // CHECK-LABEL: llvm.func @wgmma(
  // CHECK-NEXT: %arg1:
  // CHECK-NEXT: attributes
  // CHECK-NEXT: <kind = tensor_map, operand = 0, box = [64, 64]>
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c24576_i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}} box[%c0_i32, %[[K:.*]]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}} box[%c64_i32, %[[K]]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}} box[%c0_i32, %[[K]]]
  // CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <col>], B[<bf16>, <one>, <row>]
  tile.kernel @wgmma(%a: memref<256x128xbf16>, %b: memref<256x64xbf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !acc
    %sum = tile.pipeline %c4 init %zero : !acc produce {
    ^bb0(%step: index, %left: !left, %right: !right):
      %k = arith.muli %step, %c64 : index
      tile.copy %a[%k, %c0] to %left[0, 64] : memref<256x128xbf16> to !left
      tile.copy %b[%k, %c0] to %right[0, 64] : memref<256x64xbf16> to !right
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !left, %right: !right, %before: !acc):
      %after = tile.mma %left depth_first, %right depth_first, %before : !left, !right, !acc
      tile.yield %after : !acc
    }
    tile.return
  }

  // Only the operand that asks for it is transposed.
  // CHECK-LABEL: llvm.func @mma(
  // CHECK: nvvm.ldmatrix %{{.*}} layout = #nvvm.mma_layout<row>
  // CHECK: nvvm.ldmatrix %{{.*}} layout = #nvvm.mma_layout<col>
  // CHECK: nvvm.mma.sync
  tile.kernel @mma(%a: memref<16x256xf16>, %b: memref<256x64xf16>)
      attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<16x64>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<16x64> produce {
    ^bb0(%step: index, %left: !tile.buffer<16x64xf16, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>):
      %k = arith.muli %step, %c64 : index
      tile.copy %a[%c0, %k] to %left[0, 16] : memref<16x256xf16> to !tile.buffer<16x64xf16, swizzled>
      tile.copy %b[%k, %c0] to %right[0, 64] : memref<256x64xf16> to !tile.buffer<64x64xf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<16x64xf16, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>, %before: !tile.accumulator<16x64>):
      %after = tile.mma %left, %right depth_first, %before : !tile.buffer<16x64xf16, swizzled>, !tile.buffer<64x64xf16, swizzled>, !tile.accumulator<16x64>
      tile.yield %after : !tile.accumulator<16x64>
    }
    tile.return
  }
}
