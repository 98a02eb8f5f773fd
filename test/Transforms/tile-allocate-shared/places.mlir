// What shares a place in shared memory, and what does not.
// RUN: block-opt %s --tile-allocate-shared --split-input-file --verify-diagnostics | FileCheck %s

// The same buffers and stages make one ring; a pipeline in another is busy with it, so that tiles
// staged inside come after.
// CHECK-LABEL: tile.kernel @rings(
// CHECK-NEXT: {chip
// CHECK-NEXT: shared_bytes = 7680 : i64
// CHECK: tile.pipeline %{{.*}} stages 1 at 0 init
// CHECK: tile.stage %{{.*}}[0] at 6144 :
// CHECK: tile.pipeline %{{.*}} at 2048 init
// CHECK: tile.pipeline %{{.*}} at 2048 init
gpu.module @kernels {
  tile.kernel @rings(%a: memref<16x64xbf16>) attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, stages = 2, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %whole = tile.pipeline %c1 stages 1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %tile[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      %staged = tile.stage %before[0] : !tile.accumulator<16x16> to !tile.buffer<16x16xf32, padded>
      tile.yield %before : !tile.accumulator<16x16>
    }
    %first = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %tile[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      tile.yield %before : !tile.accumulator<16x16>
    }
    %second = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>):
      tile.copy %a[%c0, %c0] to %tile[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      tile.yield %before : !tile.accumulator<16x16>
    }
    tile.return
  }
}

// -----

// Staged tiles with rows of different lengths: the rows of one lie where other warps have theirs.
// CHECK-LABEL: tile.kernel @lengths(
// CHECK: tile.stage %{{.*}}[0] at 0 synchronized :
// CHECK: tile.stage %{{.*}}[0] at 0 synchronized :
gpu.module @kernels {
  tile.kernel @lengths() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x16>
    %whole = tile.stage %zero[0] : !tile.accumulator<16x16> to !tile.buffer<16x16xf32, padded>
    %half = tile.stage %zero[0] : !tile.accumulator<16x16> to !tile.buffer<16x8xf32, padded>
    tile.return
  }
}

// -----

// CHECK-LABEL: tile.kernel @join(
// CHECK: tile.join %arg0[%{{.*}}] of %{{.*}} at 0 : memref<2xi32>
gpu.module @kernels {
  tile.kernel @join(%counters: memref<2xi32>) attributes {chip = "sm_80", outputs = 0 : i64, workspaces = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 2>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c1) band 8 {
      tile.join %counters[%i] of %c2 : memref<2xi32> {
      }
    }
    tile.return
  }
}

// -----

// A barrier of a cluster is behind what its CTAs have staged.
// CHECK-LABEL: tile.kernel @join_cluster(
// CHECK: shared_bytes = 4616
// CHECK: tile.join_cluster %[[STAGED:.*]] below %{{.*}} extent 2 at 4608 :
gpu.module @kernels {
  tile.kernel @join_cluster() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 1, grid = 2, cluster = 2, joins = true>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c1, %c2) band 8 {
      %zero = tile.zero : !tile.accumulator<16x64>
      %staged = tile.stage %zero[0] : !tile.accumulator<16x64> to !tile.buffer<16x64xf32, padded>
      tile.join_cluster %staged below %c2 extent 2 : <16x64xf32, padded> {
      }
    }
    tile.return
  }
}

// -----

// Each counter begins at a multiple of 16 bytes.
// CHECK-LABEL: tile.kernel @joins(
// CHECK: tile.join %arg0[%{{.*}}] of %{{.*}} at 0 : memref<2xi32>
// CHECK: tile.join %arg1[%{{.*}}] of %{{.*}} at 16 : memref<2xi32>
gpu.module @kernels {
  tile.kernel @joins(%counters: memref<2xi32>, %others: memref<2xi32>) attributes {chip = "sm_80", outputs = 0 : i64, workspaces = 2 : i64, schedule = #tile.schedule<warps = 1, grid = 2>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c1) band 8 {
      tile.join %counters[%i] of %c2 : memref<2xi32> {
      }
      tile.join %others[%i] of %c2 : memref<2xi32> {
      }
    }
    tile.return
  }
}

// -----

// Folds exchange parts in the same memory, 8 bytes for each warp and result.
// CHECK-LABEL: tile.kernel @folds(
// CHECK: shared_bytes = 96
// CHECK: tile.tiles (%[[I:.*]], %[[J:.*]]) below
// CHECK: tile.join %arg0[%[[I]]] of %{{.*}} at 0 : memref<2xi32>
// CHECK: tile.fold <add> %[[J]] to %{{.*}} at 16 : (i64) {
// CHECK: tile.fold <add> %[[J]] to %{{.*}} at 16 : (i64, i64) {
// CHECK: tile.scratch at 80
gpu.module @kernels {
  tile.kernel @folds(%counters: memref<2xi32>) attributes {chip = "sm_80", outputs = 0 : i64, workspaces = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c1) band 8 {
      tile.join %counters[%i] of %c2 : memref<2xi32> {
      }
      %a = tile.fold <add> %j to %c2 : (i64) {
      ^bb0(%column: index):
        %word = arith.index_cast %column : index to i64
        tile.yield %word : i64
      }
      %b:2 = tile.fold <add> %j to %c2 : (i64, i64) {
      ^bb0(%column: index):
        %word = arith.index_cast %column : index to i64
        tile.yield %word, %word : i64, i64
      }
      tile.rows %row below %c1 extent 4 {
        %s = tile.scratch : !tile.buffer<1x1xf32>
      }
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{no GPU code for chip sm_80: the kernel takes 262144 bytes of shared memory, expected at most 166912}}
  tile.kernel @much() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    %c1 = arith.constant 1 : index
    tile.rows %row below %c1 grid {
      %scratch = tile.scratch : !tile.buffer<1x65536xf32>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'unknown' to have been through tile-check-tiles before}}
  tile.kernel @unknown() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}
