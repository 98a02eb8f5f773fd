// Attention: a tile of queries stays, tiles of keys and values pass.
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_80" | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_90a" | FileCheck %s --check-prefix=HOPPER

// Few queries: the two heads that share keys are rows of one tile.
// CHECK-LABEL: tile.kernel @sdpa_0(
// CHECK-SAME: %[[Q:.*]]: memref<2x9x32xbf16>, %[[K:.*]]: memref<2x9x16xbf16>, %[[V:.*]]: memref<2x9x16xbf16>, %[[OUT:.*]]: memref<2x9x32xbf16>)
// CHECK-NEXT: #tile.schedule<multiply = mma, copies = async, warps = 2, stages = 2, grid = 4, whole_rows = true>
// CHECK: tile.tiles
// CHECK:   %[[ALL:.*]]:3 = tile.pipeline %{{.*}} stages 1 init
// CHECK:     tile.copy %[[Q]][{{.*}}] width 8 parts 2 to
// CHECK:   consume
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[QUERIES:.*]]: !tile.buffer<32x64xbf16, swizzled>,
// The keys that all queries see are those of whole steps.
// CHECK:     arith.divui
// CHECK:     %[[SEEN:.*]] = arith.divui
// CHECK:     tile.pipeline %{{.*}} init
// CHECK:       tile.copy %[[K]][{{.*}}] below %{{.*}} width 8 to %[[KEYS:.*]][0, 64]
// CHECK:       tile.copy %[[V]][{{.*}}] below %{{.*}} width 8 to %[[VALUES:.*]][0, 64]
// CHECK:     consume
// CHECK:       %[[ALLSEE:.*]] = tile.between %{{.*}} from %{{.*}} to %[[SEEN]]
// CHECK:       %[[PRODUCT:.*]] = tile.mma %[[QUERIES]], %{{.*}}, %{{.*}} depth 16
// CHECK:       %[[SETTLED:.*]] = tile.settle %[[PRODUCT]]
// Hidden keys only where there are some.
// CHECK:       %[[SCORES:.*]] = scf.if %[[ALLSEE]]
// CHECK-NEXT:    scf.yield %[[SETTLED]]
// CHECK:         tile.map %[[SETTLED]]
// CHECK:           arith.constant 0xFF800000
// CHECK:       %[[LARGEST:.*]] = tile.combine <max> %[[SCORES]]
// CHECK:       %[[WEIGHTS:.*]] = tile.map %[[SCORES]], %{{.*}} : (!tile.accumulator<32x64>, !tile.row_values<32>)
// The scale goes into the exponent, with base 2.
// CHECK:         arith.constant 0.360673755
// CHECK:         math.fma
// CHECK:         math.exp2 {{.*}} fastmath<afn>
// CHECK:       tile.combine <add> shares %[[WEIGHTS]]
// CHECK:       tile.mma %[[WEIGHTS]], %{{.*}} depth_first, %{{.*}} : !tile.accumulator<32x64>
// Totals of rows, once all keys have passed.
// CHECK:   %[[TOTALS:.*]] = tile.combine <add> %[[ALL]]#2 : !tile.row_values<32>
// CHECK:   tile.map %[[TOTALS]]
// CHECK:     arith.divf
// CHECK:   tile.stage
// CHECK:   tile.rows
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

// Past keys first, then the new ones. Other scores than a scale are code in the
// region, for every tile.
// CHECK-LABEL: tile.kernel @sdpa_1(
// CHECK-SAME: %[[Q:.*]]: memref<1x1x8xf32>, %[[K:.*]]: memref<1x1x8xf32>, %[[V:.*]]: memref<1x1x8xf32>, %[[PK:.*]]: memref<1x?x8xf32>, %[[PV:.*]]: memref<1x?x8xf32>
// CHECK-NEXT: %arg5:
// CHECK-NEXT: multiply = fma
// CHECK:   %[[SLOPE:.*]] = tile.load %{{.*}} : memref<2x1xf32> to f32
// CHECK:   %[[STATE:.*]]:3 = tile.pipeline
// CHECK:     tile.copy %[[PK]]
// CHECK:     tile.copy %[[PV]]
// CHECK:     scf.if
// CHECK:       tile.map
// CHECK:         arith.mulf %[[SLOPE]]
// CHECK:         math.tanh
// CHECK:   tile.pipeline %{{.*}} init %[[STATE]]#0, %[[STATE]]#1, %[[STATE]]#2
// CHECK:     tile.copy %[[K]]
// CHECK:     tile.copy %[[V]]
func.func @past(%q: tensor<1x1x8xf32>, %k: tensor<1x1x8xf32>, %v: tensor<1x1x8xf32>, %pk: tensor<1x?x8xf32>, %pv: tensor<1x?x8xf32>) -> tensor<1x1x8xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x1x8xf32>, %b = %k : tensor<1x1x8xf32>, %c = %v : tensor<1x1x8xf32>, %d = %pk : tensor<1x?x8xf32>, %e = %pv : tensor<1x?x8xf32>)
      -> tensor<1x1x8xf32> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, softcap = 2.0, alibi_max = 8.0>}
        : (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x1x8xf32>
    block.yield %s : tensor<1x1x8xf32>
  }
  return %0 : tensor<1x1x8xf32>
}

// The tables of T5 and Shaw, and the terms of shaped attention: the mean is a
// product with ones.
// CHECK-LABEL: tile.kernel @sdpa_2
// CHECK:   %[[ALL:.*]]:4 = tile.pipeline
// CHECK:     tile.table dense<[7, 7, 7, 6, 6, 5, 0, 1, 2, 2, 3, 3, 3]> : tensor<13xi32>
// CHECK:     scf.for
// CHECK:     %[[STAGED:.*]] = tile.stage
// CHECK:     tile.map
// CHECK:       scf.for
// CHECK:         tile.load %[[STAGED]]
// CHECK:     %[[ONES:.*]] = scf.if
// CHECK-NEXT:  tile.map  : () -> !tile.accumulator<16x32>
// CHECK:     tile.mma %[[ONES]]
// CHECK:   tile.map %[[ALL]]#0, %{{.*}}, %[[ALL]]#3
func.func @tables(%q: tensor<1x4x8xf32>, %r: tensor<8x2xf32>, %s: tensor<5x4xf32>, %g: tensor<2xf32>) -> tensor<1x4x8xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x4x8xf32>, %b = %r : tensor<8x2xf32>, %c = %s : tensor<5x4xf32>, %d = %g : tensor<2xf32>)
      -> tensor<1x4x8xf32> {
    %o = block.sdpa %a, %a, %a relative %b shaw_key %c shaw_value %c alpha %d gamma %d {buckets = #block.buckets<max_distance = 6, bidirectional = true>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, window = 3>}
        : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<8x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x8xf32>
    block.yield %o : tensor<1x4x8xf32>
  }
  return %0 : tensor<1x4x8xf32>
}

// Many queries: warpgroups, and tensor maps whose boxes end where a head does.
// HOPPER-LABEL: tile.kernel @sdpa_3
// HOPPER-SAME: %[[SELF:.*]]: memref<2x200x320xbf16>, %{{.*}}: memref
// HOPPER-NEXT: #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 16,
// HOPPER-NEXT: whole_rows = true>
// Beside a row of results there is no room for other queries.
// HOPPER:   tile.pipeline %{{.*}} stages 1 init
// HOPPER:   tile.copy %[[SELF]][{{.*}}] width 80 to %{{.*}}[0, 128]
// HOPPER:   ^bb0(%{{.*}}: index, %[[QUERIES:.*]]: !tile.buffer<128x128xbf16, swizzled>, %
// HOPPER:     ^bb0(%{{.*}}: index, %[[KEYS:.*]]: !tile.buffer<128x128xbf16, swizzled>, %[[VALUES:.*]]: !tile.buffer<128x128xbf16, swizzled>, %
// HOPPER:     tile.mma %[[QUERIES]], %[[KEYS]], %{{.*}} depth 80 : {{.*}}, <128x128>
// HOPPER:     tile.mma %{{.*}}, %[[VALUES]] depth_first, %{{.*}} : !tile.accumulator<128x128>, {{.*}}, <128x80>
// Rows that tensor maps cannot describe go another way.
// HOPPER-LABEL: tile.kernel @sdpa_4
// HOPPER-NEXT: multiply = mma, copies = async, warps = 4,
func.func @hopper(%q: tensor<2x200x320xbf16>, %o: tensor<2x200x142xbf16>) -> (tensor<2x200x320xbf16>, tensor<2x200x142xbf16>) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x200x320xbf16>) -> tensor<2x200x320xbf16> {
    %s = block.sdpa %a, %a, %a {heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 0.5, causal = true, window = 70>}
        : (tensor<2x200x320xbf16>, tensor<2x200x320xbf16>, tensor<2x200x320xbf16>) -> tensor<2x200x320xbf16>
    block.yield %s : tensor<2x200x320xbf16>
  }
  %1 = block.kernel "sdpa" (%a = %o : tensor<2x200x142xbf16>) -> tensor<2x200x142xbf16> {
    %s = block.sdpa %a, %a, %a {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
        : (tensor<2x200x142xbf16>, tensor<2x200x142xbf16>, tensor<2x200x142xbf16>) -> tensor<2x200x142xbf16>
    block.yield %s : tensor<2x200x142xbf16>
  }
  return %0, %1 : tensor<2x200x320xbf16>, tensor<2x200x142xbf16>
}

// The queries of the next tile come while the last keys of this one pass, where
// shared memory has room for both.
// HOPPER-LABEL: tile.kernel @sdpa_5(
// HOPPER:   tile.pipeline %{{.*}} stages 2 init
// HOPPER-LABEL: tile.kernel @sdpa_6(
// HOPPER:   tile.pipeline %{{.*}} stages 2 init
// HOPPER-LABEL: tile.kernel @sdpa_7(
// HOPPER:   tile.pipeline %{{.*}} stages 1 init
func.func @ahead(%s: tensor<2x200x64xbf16>, %m: tensor<2x256x128xbf16>, %l: tensor<2x256x256xbf16>)
    -> (tensor<2x200x64xbf16>, tensor<2x256x128xbf16>, tensor<2x256x256xbf16>) {
  %0 = block.kernel "sdpa" (%a = %s : tensor<2x200x64xbf16>) -> tensor<2x200x64xbf16> {
    %s0 = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>}
        : (tensor<2x200x64xbf16>, tensor<2x200x64xbf16>, tensor<2x200x64xbf16>) -> tensor<2x200x64xbf16>
    block.yield %s0 : tensor<2x200x64xbf16>
  }
  %1 = block.kernel "sdpa" (%a = %m : tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16> {
    %s1 = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>}
        : (tensor<2x256x128xbf16>, tensor<2x256x128xbf16>, tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16>
    block.yield %s1 : tensor<2x256x128xbf16>
  }
  %2 = block.kernel "sdpa" (%a = %l : tensor<2x256x256xbf16>) -> tensor<2x256x256xbf16> {
    %s2 = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>}
        : (tensor<2x256x256xbf16>, tensor<2x256x256xbf16>, tensor<2x256x256xbf16>) -> tensor<2x256x256xbf16>
    block.yield %s2 : tensor<2x256x256xbf16>
  }
  return %0, %1, %2 : tensor<2x200x64xbf16>, tensor<2x256x128xbf16>, tensor<2x256x256xbf16>
}
