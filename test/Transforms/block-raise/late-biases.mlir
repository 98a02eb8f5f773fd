// Of two biases behind a sum only one has a branch: neither becomes a part of it, and both are added once.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=block.residual
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: [[BRANCH:%[0-9a-z_]+]] = block.linear %arg0, [[W:%[0-9a-z_]+]] :
// CHECK: [[SUM:%[0-9a-z_]+]] = arith.addf %arg0, [[BRANCH]]
// CHECK: [[FIRST:%[0-9a-z_]+]] = arith.addf [[SUM]]
// CHECK: arith.addf [[FIRST]]
func.func @main(%x: tensor<2x4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %sum = stablehlo.add %x, %y : tensor<2x4x8xf32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<8xf32>) -> tensor<2x4x8xf32>
  %cs = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<8xf32>) -> tensor<2x4x8xf32>
  %first = stablehlo.add %sum, %bs : tensor<2x4x8xf32>
  %second = stablehlo.add %first, %cs : tensor<2x4x8xf32>
  return %second : tensor<2x4x8xf32>
}
