// A router of sigmoids as JAX prints it: a correction of the choice, and weights gathered without it.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: %arg1: tensor<8x4xf32> {block.param = "arg01"}
// CHECK: %arg2: tensor<4x8x6xf32> {block.param = "arg02"}
// CHECK: %arg4: tensor<4x6x8xf32> {block.param = "arg04"}
// CHECK: block.moe %arg0 router %{{.*}} up %{{.*}} down %arg4 correction %arg5
// CHECK: routing = #block.routing<chosen = 2, score = sigmoid, divide_by = added, eps = 1.0e-20, weight_scale = 2.5>
// CHECK: block.residual %arg0
module @jit_correction attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8x6xf32>, %arg3: tensor<4x8x6xf32>, %arg4: tensor<4x6x8xf32>, %arg5: tensor<4xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x4xf32>
    %1 = stablehlo.negate %0 : tensor<2x5x4xf32>
    %2 = stablehlo.exponential %1 : tensor<2x5x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %4 = stablehlo.add %3, %2 : tensor<2x5x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %6 = stablehlo.divide %5, %4 : tensor<2x5x4xf32>
    %7 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<2x5x4xf32>
    %9 = stablehlo.add %6, %8 : tensor<2x5x4xf32>
    %values, %indices = chlo.top_k(%9, k = 2) : tensor<2x5x4xf32> -> (tensor<2x5x2xf32>, tensor<2x5x2xi32>)
    %10 = call @take_along_axis(%6, %indices) : (tensor<2x5x4xf32>, tensor<2x5x2xi32>) -> tensor<2x5x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999968E-21> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x2xf32>
    %16 = stablehlo.divide %10, %15 : tensor<2x5x2xf32>
    %cst_3 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5x2xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<2x5x2xf32>
    %19 = call @_one_hot(%indices) : (tensor<2x5x2xi32>) -> tensor<2x5x2x4xf32>
    %20 = stablehlo.dot_general %19, %18, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x5x2xf32>) -> tensor<2x5x4xf32>
    %21 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x4x6xf32>
    %22 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x4x6xf32>
    %23 = call @silu(%21) : (tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<2x5x4x6xf32>
    %25 = stablehlo.dot_general %arg4, %24, batching_dims = [0] x [2], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<2x5x4x6xf32>) -> tensor<4x8x2x5xf32>
    %26 = stablehlo.transpose %25, dims = [2, 3, 0, 1] : (tensor<4x8x2x5xf32>) -> tensor<2x5x4x8xf32>
    %27 = stablehlo.dot_general %26, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x8xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    %28 = stablehlo.add %arg0, %27 : tensor<2x5x8xf32>
    return %28 : tensor<2x5x8xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x5x4xf32>, %arg1: tensor<2x5x2xi32>) -> tensor<2x5x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x5x2xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x5x2xi1>, tensor<2x5x2xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x5x2xi32>) -> tensor<2x5x2x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x5x2x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x5x2x1xi32>, tensor<2x5x2x1xi32>) -> tensor<2x5x2x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x5x2x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x5x2x1xi32>, tensor<2x5x2x1xi32>) -> tensor<2x5x2x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x5x2x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x5x2x1xi1>, tensor<i1>) -> tensor<2x5x2xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x5x4xf32>, tensor<2x5x2x1xi32>) -> tensor<2x5x2xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x2xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x5x2xi1>, tensor<2x5x2xf32>
    return %15 : tensor<2x5x2xf32>
  }
  func.func private @_one_hot(%arg0: tensor<2x5x2xi32>) -> tensor<2x5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<2x5x2xi32>) -> tensor<2x5x2x1xi32>
    %1 = stablehlo.iota dim = 3 : tensor<1x1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<2x5x2x1xi32>) -> tensor<2x5x2x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<2x5x2x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x2x4xi32>, tensor<2x5x2x4xi32>) -> tensor<2x5x2x4xi1>
    %5 = stablehlo.convert %4 : (tensor<2x5x2x4xi1>) -> tensor<2x5x2x4xf32>
    return %5 : tensor<2x5x2x4xf32>
  }
  func.func private @silu(%arg0: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x5x4x6xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x4x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4x6xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x4x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x4x6xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x4x6xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x4x6xf32>
    return %6 : tensor<2x5x4x6xf32>
  }
}
