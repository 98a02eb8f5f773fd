// What is not recognised keeps its open sizes: arithmetic and structured ops as they are, numbers and shapes by those of
// an argument.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --dims=b=3,t=5 --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: func.func @main(%[[X:.*]]: tensor<?x?x4xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: tensor.empty(%[[B]], %[[T]]) : tensor<?x?x6xf32>
// CHECK: block.linear {{.*}} -> tensor<?x?x6xf32>
// CHECK: math.cos {{.*}} : tensor<?x?x6xf32>
// CHECK: arith.addf {{.*}} : tensor<?x?x6xf32>
// CHECK: block.head {{.*}} -> tensor<?x?x4xf32>
// SAME: PASS out0
func.func @main(%x: tensor<?x?x4xf32> {block.dims = ["b", "t"]}, %up: tensor<4x6xf32>, %down: tensor<6x4xf32>) -> tensor<?x?x4xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
  %2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  %s = stablehlo.concatenate %2, %3, %six, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %4 = stablehlo.dot_general %x, %up, contracting_dims = [2] x [0] : (tensor<?x?x4xf32>, tensor<4x6xf32>) -> tensor<?x?x6xf32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %5 = stablehlo.dynamic_broadcast_in_dim %half, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x6xf32>
  %6 = stablehlo.cosine %4 : tensor<?x?x6xf32>
  %7 = stablehlo.add %6, %5 : tensor<?x?x6xf32>
  %8 = stablehlo.dot_general %7, %down, contracting_dims = [2] x [0] : (tensor<?x?x6xf32>, tensor<6x4xf32>) -> tensor<?x?x4xf32>
  return %8 : tensor<?x?x4xf32>
}
