// Steps in the middle have a loop of their own, which does nothing for the others;
// before it there is one where the middle may begin later.
// RUN: block-opt %s --tile-to-nvvm="chip=sm_90a" | FileCheck %s
gpu.module @kernels {
// CHECK-LABEL: llvm.func @first
// CHECK: nvvm.setmaxregister increase
// Step 0 finds out.
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK:   math.absf
// CHECK: %[[TO:.*]] = arith.minsi
// CHECK: %[[SEEN:.*]]:{{[0-9]+}} = scf.for %{{.*}} = %{{.*}} to %[[TO]]
// CHECK-NOT: math.absf
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NOT: math.absf
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: math.absf
// CHECK:   scf.yield
// CHECK: scf.for %{{.*}} = %[[TO]] to
// CHECK-NEXT: iter_args({{.*}} = %[[SEEN]]#0
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NOT: else
// CHECK:   math.absf
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:   scf.yield
  tile.kernel @first(%a: memref<128x64xbf16>, %steps: memref<?x64xbf16>, %bounds: memref<?xbf16>, %out: memref<128x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 1, whole_rows = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.dim %steps, 0 : memref<?x64xbf16>
    %end = arith.subi %rows, %c1 : index
    %zero = tile.zero : !tile.accumulator<128x64>
    %all = tile.pipeline %c1 stages 1 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %q[0, 128] : memref<128x64xbf16> to !tile.buffer<128x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>, %before: !tile.accumulator<128x64>):
      %inner = tile.pipeline %rows init %before : !tile.accumulator<128x64> produce {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>):
        %row = arith.muli %k, %c64 : index
        tile.copy %a[%row, %c0] to %b[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %steps[%row, %c0] below %rows to %c[0, 64] : memref<?x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<128x64>):
        %all = tile.between %k from %c0 to %end
        %none = tile.zero : !tile.accumulator<128x64>
        %s = tile.mma %q, %b, %none : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        %u = tile.settle %s : !tile.accumulator<128x64>
        %t = scf.if %all -> !tile.accumulator<128x64> {
          scf.yield %u : !tile.accumulator<128x64>
        } else {
          %w = tile.map %u : (!tile.accumulator<128x64>) -> !tile.accumulator<128x64> {
          ^bb0(%row: index, %column: index, %e: f32):
            %f = math.absf %e : f32
            tile.yield %f : f32
          }
          scf.yield %w : !tile.accumulator<128x64>
        }
        %sums = tile.settle %old : !tile.accumulator<128x64>
        %next = tile.mma %t, %c depth_first, %sums deferred : !tile.accumulator<128x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        tile.yield %next : !tile.accumulator<128x64>
      }
      tile.yield %inner : !tile.accumulator<128x64>
    }
    %staged = tile.stage %all[0] : !tile.accumulator<128x64> to !tile.buffer<128x64xf32, padded>
    tile.rows %row below %c64 extent 128 {
      tile.columns %column = %c0 to %c64 {
        %e = tile.load %staged[%row, %column] : !tile.buffer<128x64xf32, padded> to f32
        tile.store %e, %out[%row, %column] : f32 to memref<128x64xf32>
      }
    }
    tile.return
  }

// CHECK-LABEL: llvm.func @middle
// CHECK: nvvm.setmaxregister increase
// CHECK: %[[LOW:.*]] = arith.maxsi
// CHECK: %[[FROM:.*]] = arith.minsi %[[LOW]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[FROM]]
// CHECK:   math.absf
// CHECK:   scf.yield
// CHECK: %[[HIGH:.*]] = arith.maxsi %{{.*}}, %[[FROM]]
// CHECK: %[[TO:.*]] = arith.minsi %[[HIGH]]
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK-NOT: math.absf
// CHECK:   scf.yield
// CHECK: scf.for %{{.*}} = %[[TO]] to
// CHECK:   math.absf
// CHECK:   scf.yield
  tile.kernel @middle(%a: memref<128x64xbf16>, %steps: memref<?x64xbf16>, %bounds: memref<?xbf16>, %out: memref<128x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 1, whole_rows = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.dim %steps, 0 : memref<?x64xbf16>
    %begin = tile.dim %bounds, 0 : memref<?xbf16>
    %end = arith.subi %rows, %c1 : index
    %zero = tile.zero : !tile.accumulator<128x64>
    %all = tile.pipeline %c1 stages 1 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %q[0, 128] : memref<128x64xbf16> to !tile.buffer<128x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %q: !tile.buffer<128x64xbf16, swizzled>, %before: !tile.accumulator<128x64>):
      %inner = tile.pipeline %rows init %before : !tile.accumulator<128x64> produce {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>):
        %row = arith.muli %k, %c64 : index
        tile.copy %a[%row, %c0] to %b[0, 64] : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.copy %steps[%row, %c0] below %rows to %c[0, 64] : memref<?x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%k: index, %b: !tile.buffer<64x64xbf16, swizzled>, %c: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<128x64>):
        %all = tile.between %k from %begin to %end
        %none = tile.zero : !tile.accumulator<128x64>
        %s = tile.mma %q, %b, %none : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        %u = tile.settle %s : !tile.accumulator<128x64>
        %t = scf.if %all -> !tile.accumulator<128x64> {
          scf.yield %u : !tile.accumulator<128x64>
        } else {
          %w = tile.map %u : (!tile.accumulator<128x64>) -> !tile.accumulator<128x64> {
          ^bb0(%row: index, %column: index, %e: f32):
            %f = math.absf %e : f32
            tile.yield %f : f32
          }
          scf.yield %w : !tile.accumulator<128x64>
        }
        %sums = tile.settle %old : !tile.accumulator<128x64>
        %next = tile.mma %t, %c depth_first, %sums deferred : !tile.accumulator<128x64>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
        tile.yield %next : !tile.accumulator<128x64>
      }
      tile.yield %inner : !tile.accumulator<128x64>
    }
    %staged = tile.stage %all[0] : !tile.accumulator<128x64> to !tile.buffer<128x64xf32, padded>
    tile.rows %row below %c64 extent 128 {
      tile.columns %column = %c0 to %c64 {
        %e = tile.load %staged[%row, %column] : !tile.buffer<128x64xf32, padded> to f32
        tile.store %e, %out[%row, %column] : f32 to memref<128x64xf32>
      }
    }
    tile.return
  }
}
