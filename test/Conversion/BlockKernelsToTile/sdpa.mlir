// Attention: four queries of a head per warp, keys in chunks of 128.
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_80" | FileCheck %s

// CHECK-LABEL: tile.kernel @sdpa_0(
// CHECK-SAME: %[[Q:.*]]: memref<2x9x32xbf16>, %[[K:.*]]: memref<2x9x16xbf16>, %[[V:.*]]: memref<2x9x16xbf16>, %[[OUT:.*]]: memref<2x9x32xbf16>)
// CHECK-SAME: #tile.schedule<warps = 4, grid = 6>
// CHECK: tile.rows %[[ROW:.*]] below %{{.*}} grid {
// CHECK:   %[[QUERY:.*]] = tile.scratch : <1x32xf32>
// CHECK:   %[[CHUNK:.*]] = tile.scratch : <1x512xf32>
// CHECK:   %[[SUMS:.*]] = tile.scratch : <1x32xf32>
// CHECK:   %[[STATE:.*]]:8 = scf.for
// Lanes over keys: the scores, none of them hidden keys'.
// CHECK:     tile.columns %[[KEY:.*]] =
// CHECK:       scf.for
// CHECK:         tile.load %[[K]]
// CHECK-COUNT-4: tile.load %[[QUERY]]
// CHECK:       %[[HIDDEN:.*]] = arith.constant -1.000000e+30 : f32
// CHECK:       %[[SEEN:.*]] = arith.andi
// CHECK-NEXT:  %[[SCORE:.*]] = arith.select %[[SEEN]], %{{.*}}, %[[HIDDEN]] : f32
// CHECK:       tile.store %[[SCORE]], %[[CHUNK]]
// CHECK:     tile.reduce max
// CHECK:     math.exp
// CHECK:     tile.columns
// CHECK:       math.exp
// CHECK:       tile.store %{{.*}}, %[[CHUNK]]
// CHECK:     tile.reduce add
// Lanes over columns: the values.
// CHECK:     tile.columns
// CHECK:       tile.load %[[SUMS]]
// CHECK:       scf.for
// CHECK:         tile.load %[[V]]
// CHECK:         tile.load %[[CHUNK]]
// CHECK:       tile.store %{{.*}}, %[[SUMS]]
// The last warp of a sequence has one query only.
// CHECK:   scf.if
// CHECK:     tile.store %{{.*}}, %[[OUT]]
func.func @grouped(%q: tensor<2x9x32xbf16>, %k: tensor<2x9x16xbf16>, %v: tensor<2x9x16xbf16>) -> tensor<2x9x32xbf16> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x9x32xbf16>, %b = %k : tensor<2x9x16xbf16>, %c = %v : tensor<2x9x16xbf16>)
      -> tensor<2x9x32xbf16> {
    %s = block.sdpa %a, %b, %c {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true>}
        : (tensor<2x9x32xbf16>, tensor<2x9x16xbf16>, tensor<2x9x16xbf16>) -> tensor<2x9x32xbf16>
    block.yield %s : tensor<2x9x32xbf16>
  }
  return %0 : tensor<2x9x32xbf16>
}

// Past keys first, then the new ones; one query alone needs no more room.
// CHECK-LABEL: tile.kernel @sdpa_1(
// CHECK-SAME: %[[Q:.*]]: memref<1x1x8xf32>, %[[K:.*]]: memref<1x1x8xf32>, %[[V:.*]]: memref<1x1x8xf32>, %[[PK:.*]]: memref<1x?x8xf32>, %[[PV:.*]]: memref<1x?x8xf32>
// CHECK:   %[[SLOPE:.*]] = tile.load %{{.*}} : memref<2x1xf32> to f32
// CHECK:   %[[STATE:.*]]:2 = scf.for
// CHECK:     tile.load %[[PK]]
// CHECK:     math.fma
// CHECK:     arith.mulf %[[SLOPE]]
// CHECK:     math.tanh
// CHECK:     tile.load %[[PV]]
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[STATE]]#0, %{{.*}} = %[[STATE]]#1)
// CHECK:     tile.load %[[K]]
// CHECK:     tile.load %[[V]]
func.func @past(%q: tensor<1x1x8xf32>, %k: tensor<1x1x8xf32>, %v: tensor<1x1x8xf32>, %pk: tensor<1x?x8xf32>, %pv: tensor<1x?x8xf32>) -> tensor<1x1x8xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x1x8xf32>, %b = %k : tensor<1x1x8xf32>, %c = %v : tensor<1x1x8xf32>, %d = %pk : tensor<1x?x8xf32>, %e = %pv : tensor<1x?x8xf32>)
      -> tensor<1x1x8xf32> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, softcap = 2.0, alibi_max = 8.0>}
        : (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x1x8xf32>
    block.yield %s : tensor<1x1x8xf32>
  }
  return %0 : tensor<1x1x8xf32>
}

// The tables of T5 and Shaw, and the terms of shaped attention.
// CHECK-LABEL: tile.kernel @sdpa_2
// CHECK:   tile.table dense<[7, 7, 7, 6, 6, 5, 0, 1, 2, 2, 3, 3, 3]> : tensor<13xi32>
// CHECK-COUNT-4: tile.scratch
// CHECK:   arith.divf
func.func @tables(%q: tensor<1x4x8xf32>, %r: tensor<8x2xf32>, %s: tensor<5x4xf32>, %g: tensor<2xf32>) -> tensor<1x4x8xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x4x8xf32>, %b = %r : tensor<8x2xf32>, %c = %s : tensor<5x4xf32>, %d = %g : tensor<2xf32>)
      -> tensor<1x4x8xf32> {
    %o = block.sdpa %a, %a, %a relative %b shaw_key %c shaw_value %c alpha %d gamma %d {buckets = #block.buckets<max_distance = 6, bidirectional = true>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, window = 3>}
        : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<8x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x8xf32>
    block.yield %o : tensor<1x4x8xf32>
  }
  return %0 : tensor<1x4x8xf32>
}
