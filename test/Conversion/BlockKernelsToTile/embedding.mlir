// Rows of tokens: the ids of a row are facts, found once.
// RUN: block-opt %s --convert-block-kernels-to-tile | FileCheck %s

// CHECK-LABEL: tile.kernel @rows_0(
// CHECK-SAME: %[[IDS:.*]]: memref<2x?xi64>, %[[TABLE:.*]]: memref<50x24xf32>, %[[POSITIONS:.*]]: memref<64x24xf32>, %[[OUT:.*]]: memref<2x?x24xf32>)
// CHECK: tile.rows %[[ROW:.*]] below
// CHECK:   %[[B:.*]] = arith.divui %[[ROW]], %[[T:.*]] : index
// CHECK:   %[[TIME:.*]] = arith.remui %[[ROW]], %[[T]] : index
// CHECK:   %[[ID:.*]] = tile.load %[[IDS]][%[[B]], %[[TIME]]] : memref<2x?xi64> to i64
// CHECK:   %[[PLACE:.*]] = arith.index_cast %[[ID]] : i64 to index
// Only rows of the table are read.
// CHECK:   %[[LEAST:.*]] = arith.minsi %[[PLACE]], %{{.*}} : index
// CHECK:   %[[OWN:.*]] = arith.maxsi %[[LEAST]], %{{.*}} : index
// CHECK:   %[[HERE:.*]] = arith.cmpi eq, %[[PLACE]], %[[OWN]] : index
// Real tokens up to this one are counted.
// CHECK:   tile.reduce add %[[C:.*]] =
// CHECK:     tile.load %[[IDS]][%[[B]], %[[C]]]
// CHECK:   arith.fptosi
// CHECK:   tile.columns %[[C2:.*]] =
// CHECK:     %[[X:.*]] = tile.load %[[TABLE]][%[[OWN]], %[[C2]]]
// CHECK:     arith.select %[[HERE]], %[[X]], %{{.*}} : f32
// CHECK:     tile.load %[[POSITIONS]]
// CHECK:     tile.store %{{.*}}, %[[OUT]][%[[ROW]], %[[C2]]]
func.func @tokens(%ids: tensor<2x?xi64>, %table: tensor<50x24xf32>, %positions: tensor<64x24xf32>) -> tensor<2x?x24xf32> {
  %0 = block.kernel "rows" (%i = %ids : tensor<2x?xi64>, %t = %table : tensor<50x24xf32>, %p = %positions : tensor<64x24xf32>)
      -> tensor<2x?x24xf32> {
    %e = block.embedding %i in %t positions %p {pad_id = 1 : i64} : (tensor<2x?xi64>, tensor<50x24xf32>, tensor<64x24xf32>) -> tensor<2x?x24xf32>
    block.yield %e : tensor<2x?x24xf32>
  }
  return %0 : tensor<2x?x24xf32>
}

// A cosine is a sine a quarter of a turn ahead.
// CHECK-LABEL: tile.kernel @rows_1
// CHECK:   tile.columns
// CHECK: tile.table dense<
// CHECK-NEXT: [0.00738731818,
// CHECK-NEXT: >
// CHECK-NEXT: : tensor<12x2xf32>
// CHECK-NOT: math.cos
// CHECK:     math.sin
// CHECK:     tile.store
func.func @sinusoid(%ids: tensor<2x8xi64>, %table: tensor<50x24xf32>) -> tensor<2x8x24xf32> {
  %0 = block.kernel "rows" (%i = %ids : tensor<2x8xi64>, %t = %table : tensor<50x24xf32>) -> tensor<2x8x24xf32> {
    %e = block.embedding %i in %t {sinusoid = #block.sinusoid<sin_cos_pairs>} : (tensor<2x8xi64>, tensor<50x24xf32>) -> tensor<2x8x24xf32>
    block.yield %e : tensor<2x8x24xf32>
  }
  return %0 : tensor<2x8x24xf32>
}

// The class token comes first; a patch is a product of its lines.
// CHECK-LABEL: tile.kernel @rows_2(
// CHECK-SAME: %[[PIXELS:.*]]: memref<2x3x8x8xf32>, %[[WEIGHT:.*]]: memref<16x3x4x4xf32>, %[[CLASS:.*]]: memref<16xf32>
// CHECK:   tile.columns %[[C:.*]] =
// CHECK:     scf.if
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           tile.load %[[PIXELS]]
// CHECK:           tile.load %[[WEIGHT]]
// CHECK:           math.fma
// CHECK:     } else {
// CHECK:       tile.load %[[CLASS]][%[[C]]]
func.func @patches(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<16x3x4x4xf32>, %class: tensor<16xf32>) -> tensor<2x5x16xf32> {
  %0 = block.kernel "rows" (%p = %pixels : tensor<2x3x8x8xf32>, %w = %weight : tensor<16x3x4x4xf32>, %c = %class : tensor<16xf32>)
      -> tensor<2x5x16xf32> {
    %e = block.patch_embedding %p, %w class %c : (tensor<2x3x8x8xf32>, tensor<16x3x4x4xf32>, tensor<16xf32>) -> tensor<2x5x16xf32>
    block.yield %e : tensor<2x5x16xf32>
  }
  return %0 : tensor<2x5x16xf32>
}
