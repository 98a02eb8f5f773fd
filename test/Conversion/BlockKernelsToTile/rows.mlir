// Steps on rows: facts of the row first, then its columns. What is stored is
// rounded before statistics are taken of it.
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_80" | FileCheck %s

// CHECK-LABEL: tile.kernel @rows_0(
// CHECK-SAME: %[[X:.*]]: memref<?x?x48xbf16>, %[[Y:.*]]: memref<?x?x48xf32>, %[[G:.*]]: memref<48xf32>, %[[R:.*]]: memref<?x?x48xbf16>, %[[N:.*]]: memref<?x?x48xbf16>)
// CHECK-NEXT: attributes {outputs = 2 : i64, schedule = #tile.schedule<warps = 4, grid = 432>
// CHECK: tile.rows %[[ROW:.*]] below %{{.*}} grid {
// CHECK:   %[[SUM:.*]] = tile.reduce add %[[C:.*]] = %{{.*}} to %{{.*}} {
// CHECK:     %[[A:.*]] = tile.load %[[X]][%[[ROW]], %[[C]]]
// CHECK:     %[[HALF:.*]] = arith.mulf %[[A]], %{{.*}} : f32
// CHECK:     %[[B:.*]] = tile.load %[[Y]][%[[ROW]], %[[C]]]
// CHECK:     arith.addf %[[HALF]], %[[B]]
// CHECK:     %[[STORED:.*]] = tile.round %{{.*}} to bf16
// CHECK:     tile.yield %[[STORED]]
// The mean is corrected by the mean of the distances from it.
// CHECK:   %[[FIRST:.*]] = arith.mulf %[[SUM]]
// CHECK:   tile.reduce add
// CHECK:     arith.subf %{{.*}}, %[[FIRST]]
// CHECK:   %[[MEAN:.*]] = arith.addf %[[FIRST]]
// CHECK:   tile.reduce add
// CHECK:     arith.subf %{{.*}}, %[[MEAN]]
// CHECK:   %[[RSTD:.*]] = math.rsqrt
// One look at the input serves both results, and is before either is written.
// CHECK:   tile.columns %[[C2:.*]] = %{{.*}} to %{{.*}} {
// CHECK:     tile.load %[[X]]
// CHECK-NOT: tile.load %[[X]]
// CHECK:     %[[R0:.*]] = tile.round
// CHECK:     %[[CENTERED:.*]] = arith.subf %[[R0]], %[[MEAN]]
// CHECK:     arith.mulf %[[CENTERED]], %[[RSTD]]
// CHECK:     tile.load %[[G]][%[[C2]]]
// CHECK:     tile.store %[[R0]], %[[R]][%[[ROW]], %[[C2]]]
// CHECK:     tile.store %{{.*}}, %[[N]][%[[ROW]], %[[C2]]]
func.func @residual_and_norm(%x: tensor<?x?x48xbf16>, %y: tensor<?x?x48xf32>, %g: tensor<48xf32>)
    -> (tensor<?x?x48xbf16>, tensor<?x?x48xbf16>) {
  %0:2 = block.kernel "rows" (%a = %x : tensor<?x?x48xbf16>, %b = %y : tensor<?x?x48xf32>, %c = %g : tensor<48xf32>)
      -> (tensor<?x?x48xbf16>, tensor<?x?x48xbf16>) {
    %r = block.residual %a, %b {input_scale = 0.5 : f64} : (tensor<?x?x48xbf16>, tensor<?x?x48xf32>) -> tensor<?x?x48xbf16>
    %s:2 = block.norm_stats %r centered : (tensor<?x?x48xbf16>) -> (tensor<?x?x1xf32>, tensor<?x?x1xf32>)
    %n = block.normalize %r mean %s#0 moment %s#1 gamma %c {form = #block.norm<kind = layer, eps = 1.0e-5>}
        : (tensor<?x?x48xbf16>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<48xf32>) -> tensor<?x?x48xbf16>
    block.yield %r, %n : tensor<?x?x48xbf16>, tensor<?x?x48xbf16>
  }
  return %0#0, %0#1 : tensor<?x?x48xbf16>, tensor<?x?x48xbf16>
}

// Norms of heads have their facts in a loop over heads; a rotation looks at its
// partner's column there, normalised as well.
// CHECK-LABEL: tile.kernel @rows_1(
// CHECK-SAME: %[[X:.*]]: memref<2x5x48xf32>, %[[Q:.*]]: memref<2x5x48xf32>)
// CHECK-NEXT: grid = 3
// CHECK:   %[[TIME:.*]] = arith.remui %[[ROW:.*]], %{{.*}} : index
// CHECK:   scf.for %[[HEAD:.*]] =
// CHECK:     tile.reduce add
// CHECK:     %[[RSTD:.*]] = math.rsqrt
// CHECK:     tile.columns %[[C:.*]] =
// CHECK:       %[[OWN:.*]] = tile.load %[[X]][%{{.*}}, %[[C]]]
// CHECK:       arith.mulf %[[OWN]], %[[RSTD]]
// CHECK:       scf.if
// CHECK:         arith.select
// CHECK:         %[[PARTNER:.*]] = arith.select
// CHECK:         %[[OTHER:.*]] = tile.load %[[X]][%{{.*}}, %[[PARTNER]]]
// CHECK:         arith.mulf %[[OTHER]], %[[RSTD]]
// CHECK: tile.table dense<
// CHECK-NEXT: > : tensor<4x2xf32>
// CHECK:         math.cos
// CHECK:         math.sin
// CHECK:       tile.store
func.func @head_norm(%x: tensor<2x5x48xf32>) -> tensor<2x5x48xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<2x5x48xf32>) -> tensor<2x5x48xf32> {
    %s = block.norm_stats %a {groups = 4 : i64} : (tensor<2x5x48xf32>) -> tensor<2x5x4xf32>
    %n = block.normalize %a moment %s {groups = 4 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<2x5x48xf32>, tensor<2x5x4xf32>) -> tensor<2x5x48xf32>
    %p = block.rope %n {heads = 4 : i64, form = #block.rope<style = half, dim = 8>} : (tensor<2x5x48xf32>) -> tensor<2x5x48xf32>
    block.yield %p : tensor<2x5x48xf32>
  }
  return %0 : tensor<2x5x48xf32>
}

// Partial statistics tile by tile; merging them is two sums over the tiles.
// CHECK-LABEL: tile.kernel @rows_2(
// CHECK-SAME: %[[X:.*]]: memref<1x4x300xf32>, %[[M:.*]]: memref<1x4x3xf32>, %[[S:.*]]: memref<1x4x3xf32>)
// CHECK:   scf.for %[[STEP:.*]] =
// CHECK:     %[[PART:.*]] = arith.addi %{{.*}}, %[[STEP]]
// CHECK:     tile.reduce add
// CHECK:     %[[FIRST:.*]] = arith.divf
// CHECK:     tile.reduce add
// CHECK:     %[[MEAN:.*]] = arith.addf %[[FIRST]]
// CHECK:     %[[SQUARES:.*]] = tile.reduce add
// CHECK:     tile.store %[[MEAN]], %[[M]][%{{.*}}, %[[PART]]]
// CHECK:     tile.store %[[SQUARES]], %[[S]][%{{.*}}, %[[PART]]]
// CHECK-LABEL: tile.kernel @rows_3(
// CHECK-SAME: %[[X:.*]]: memref<1x4x300xf32>, %[[M:.*]]: memref<1x4x3xf32>, %[[S:.*]]: memref<1x4x3xf32>,
// CHECK:   tile.reduce add %[[PART:.*]] = %{{.*}} to %{{.*}} {
// CHECK:     tile.load %[[M]][%{{.*}}, %[[PART]]]
// CHECK:   tile.reduce add %[[PART2:.*]] = %{{.*}} to %{{.*}} {
// CHECK:     tile.load %[[S]][%{{.*}}, %[[PART2]]]
// CHECK:   tile.columns
// CHECK:     tile.load %[[X]]
func.func @parts(%x: tensor<1x4x300xf32>) -> tensor<1x4x300xf32> {
  %0:2 = block.kernel "rows" (%a = %x : tensor<1x4x300xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>) {
    %p:2 = block.partial_stats %a centered {tile = 128 : i64} : (tensor<1x4x300xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>)
    block.yield %p#0, %p#1 : tensor<1x4x3xf32>, tensor<1x4x3xf32>
  }
  %1 = block.kernel "rows" (%a = %x : tensor<1x4x300xf32>, %m = %0#0 : tensor<1x4x3xf32>, %s = %0#1 : tensor<1x4x3xf32>)
      -> tensor<1x4x300xf32> {
    %p:2 = block.merge_stats mean %m moment %s {tile = 128 : i64, width = 300 : i64}
        : (tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> (tensor<1x4x1xf32>, tensor<1x4x1xf32>)
    %n = block.normalize %a mean %p#0 moment %p#1 {form = #block.norm<kind = layer, eps = 1.0e-5>}
        : (tensor<1x4x300xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> tensor<1x4x300xf32>
    block.yield %n : tensor<1x4x300xf32>
  }
  return %1 : tensor<1x4x300xf32>
}
