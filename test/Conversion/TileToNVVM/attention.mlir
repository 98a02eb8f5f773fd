// Tiles in registers: what each thread does to its share, products that take
// it as their left operand, and pipelines in a pipeline.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_80" | FileCheck %s

// Of 16 x 16 scores a thread has two rows, four columns of each.
// CHECK-LABEL: llvm.func @registers
// CHECK: %[[SUMS:.*]] = nvvm.mma.sync
// CHECK-COUNT-8: arith.addf
// Rows are combined in four lanes.
// CHECK: arith.maximumf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.maximumf
// CHECK: nvvm.shfl.sync bfly
// Of shares, lanes have their own.
// CHECK: arith.subf
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-6: arith.addf
// CHECK-NOT: nvvm.shfl
// The weights of a step are four registers of the next product.
// CHECK-COUNT-4: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.mma.sync
// Another combine adds up what they have.
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: arith.divf
gpu.module @kernels {
  tile.kernel @registers(%a: memref<16x64xbf16>, %out: memref<16x16xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 2, grid = 1, whole_rows = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %nothing = tile.map : () -> !tile.row_values<16> {
    ^bb0(%row: index):
      %x = arith.constant 0.0 : f32
      tile.yield %x : f32
    }
    %all:2 = tile.pipeline %c1 stages 1 init %zero, %nothing : !tile.accumulator<16x16>, !tile.row_values<16> produce {
    ^bb0(%step: index, %q: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %q[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %q: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>, %start: !tile.row_values<16>):
      %inner:2 = tile.pipeline %c1 init %before, %start : !tile.accumulator<16x16>, !tile.row_values<16> produce {
      ^bb0(%k: index, %b: !tile.buffer<16x64xbf16, swizzled>):
        tile.copy %a[%k, %c0] below %c16 width 64 to %b[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%k: index, %b: !tile.buffer<16x64xbf16, swizzled>, %old: !tile.accumulator<16x16>, %part: !tile.row_values<16>):
        %none = tile.zero : !tile.accumulator<16x16>
        %s = tile.mma %q, %b, %none depth 16 : !tile.buffer<16x64xbf16, swizzled>, !tile.buffer<16x64xbf16, swizzled>, !tile.accumulator<16x16>
        %t = tile.settle %s : !tile.accumulator<16x16>
        %u = tile.map %t : (!tile.accumulator<16x16>) -> !tile.accumulator<16x16> {
        ^bb0(%row: index, %column: index, %x: f32):
          %y = arith.addf %x, %x : f32
          tile.yield %y : f32
        }
        %m = tile.combine <max> %u : !tile.accumulator<16x16> to !tile.row_values<16>
        %w = tile.map %u, %m : (!tile.accumulator<16x16>, !tile.row_values<16>) -> !tile.accumulator<16x16> {
        ^bb0(%row: index, %column: index, %x: f32, %y: f32):
          %d = arith.subf %x, %y : f32
          tile.yield %d : f32
        }
        %share = tile.combine <add> shares %w : !tile.accumulator<16x16> to !tile.row_values<16>
        %next = tile.mma %w, %b depth_first, %old : !tile.accumulator<16x16>, !tile.buffer<16x64xbf16, swizzled>, !tile.accumulator<16x16>
        tile.yield %next, %share : !tile.accumulator<16x16>, !tile.row_values<16>
      }
      tile.yield %inner#0, %inner#1 : !tile.accumulator<16x16>, !tile.row_values<16>
    }
    %totals = tile.combine <add> %all#1 : !tile.row_values<16> to !tile.row_values<16>
    %divided = tile.map %all#0, %totals : (!tile.accumulator<16x16>, !tile.row_values<16>) -> !tile.accumulator<16x16> {
    ^bb0(%row: index, %column: index, %x: f32, %y: f32):
      %z = arith.divf %x, %y : f32
      tile.yield %z : f32
    }
    %staged = tile.stage %divided[0] : !tile.accumulator<16x16> to !tile.buffer<16x16xf32, padded>
    tile.rows %row below %c16 extent 16 {
      tile.columns %column = %c0 to %c16 {
        %e = tile.load %staged[%row, %column] : !tile.buffer<16x16xf32, padded> to f32
        tile.store %e, %out[%row, %column] : f32 to memref<16x16xf32>
      }
    }
    tile.return
  }
}
