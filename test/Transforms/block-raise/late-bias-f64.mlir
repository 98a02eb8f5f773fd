// A late bias is the branch's only where the residual is written: a stream in f64 is none, and the bias is added once.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=block.residual
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: [[Y:%[0-9a-z_]+]] = block.linear %arg0, [[W:%[0-9a-z_]+]] :
// CHECK: [[WIDE:%[0-9a-z_]+]] = arith.extf [[Y]]
// CHECK: [[SUM:%[0-9a-z_]+]] = arith.addf {{.*}}[[WIDE]]
// CHECK: arith.addf [[SUM]]
func.func @main(%x: tensor<2x4x8xf32>, %stream: tensor<2x4x8xf64>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<2x4x8xf64> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %wide = stablehlo.convert %y : (tensor<2x4x8xf32>) -> tensor<2x4x8xf64>
  %sum = stablehlo.add %stream, %wide : tensor<2x4x8xf64>
  %bs = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<8xf32>) -> tensor<2x4x8xf32>
  %bw = stablehlo.convert %bs : (tensor<2x4x8xf32>) -> tensor<2x4x8xf64>
  %out = stablehlo.add %sum, %bw : tensor<2x4x8xf64>
  return %out : tensor<2x4x8xf64>
}
