// Tensor maps are brought near first. The thread that copies expects all bytes of each stage, brings the weight's, waits for the
// launch before, and brings activations; later steps bring both.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_90a programmatic-launch=true" | FileCheck %s
// Without early launches there is one kind of step.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=LATE

// CHECK: llvm.func @product(%[[X:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = {{.*}}, nvvm.grid_constant},
// CHECK: %[[W:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = {{.*}}, nvvm.grid_constant}
// CHECK: kind = tensor_map, operand = 0, box = [64, 64]>
// CHECK: kind = tensor_map, operand = 1, box = [64, 64], constant = true>
// CHECK: nvvm.prefetch tensormap, %[[X]]
// CHECK: nvvm.prefetch tensormap, %[[W]]
// CHECK: nvvm.mbarrier.init
// The weight of the first steps.
// CHECK: scf.for
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-NOT: %[[X]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[W]],
// CHECK-NOT: %[[X]]
// CHECK: nvvm.griddepcontrol{{ +}}wait
// Each step: the weight unless it is there, and the activations.
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: scf.if
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[W]],
// CHECK: }
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[X]],
// The others.
// CHECK: nvvm.griddepcontrol{{ +}}launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol{{ +}}wait

// LATE: llvm.func @product(
// LATE-COUNT-2: nvvm.prefetch tensormap
// LATE-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// LATE-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// LATE-NOT: nvvm.griddepcontrol
gpu.module @kernels {
  tile.kernel @product(%x: memref<64x256xbf16>, %w: memref<64x256xbf16>, %y: memref<64x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>):
      %column = arith.muli %step, %c64 : index
      tile.copy %x[%c0, %column] to %left[0, 64] : memref<64x256xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.copy %w[%c0, %column] to %right[0, 64] : memref<64x256xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x64xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      %after = tile.mma %left, %right, %before : !tile.buffer<64x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    %staged = tile.stage %sum[0] : !tile.accumulator<64x64> to !tile.buffer<64x64xf32, padded>
    tile.rows %row below %c64 extent 64 {
      tile.columns %column = %c0 to %c64 {
        %value = tile.load %staged[%row, %column] : !tile.buffer<64x64xf32, padded> to f32
        tile.store %value, %y[%row, %column] : f32 to memref<64x64xf32>
      }
    }
    tile.return
  }
}

func.func @main(%x: tensor<64x256xbf16> {block.input = "x"}, %w: tensor<64x256xbf16> {block.param = "w"}) -> tensor<64x64xf32> {
  %0 = tile.launch @kernels::@product(%x, %w) : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
