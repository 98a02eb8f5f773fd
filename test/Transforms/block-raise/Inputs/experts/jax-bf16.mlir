// All experts on all rows in bf16, as JAX prints them: weights are rounded before they are used.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// RUN: block-run %t.mlir --engine=cpu --seed=7 --baseline=%s
// CHECK: block.moe {{.*}} round_weights
// CHECK-NEXT: routing = #block.routing<chosen = 2, score = softmax, divide_by = added>
module @jit_dense_onehot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xbf16>, %arg1: tensor<8x4xbf16>, %arg2: tensor<4x8x6xbf16>, %arg3: tensor<4x8x6xbf16>, %arg4: tensor<4x6x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x4xbf16>) -> tensor<2x5x4xbf16>
    %1 = stablehlo.convert %0 : (tensor<2x5x4xbf16>) -> tensor<2x5x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x5x4xf32>
    %8 = stablehlo.exponential %7 : tensor<2x5x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x5x4xf32>
    %values, %indices = chlo.top_k(%12, k = 2) : tensor<2x5x4xf32> -> (tensor<2x5x2xf32>, tensor<2x5x2xi32>)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%values init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x2xf32>
    %16 = stablehlo.divide %values, %15 : tensor<2x5x2xf32>
    %17 = stablehlo.convert %16 : (tensor<2x5x2xf32>) -> tensor<2x5x2xbf16>
    %18 = call @_one_hot(%indices) : (tensor<2x5x2xi32>) -> tensor<2x5x2x4xbf16>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x5x2xbf16>) -> tensor<2x5x2x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x5x2x1xbf16>) -> tensor<2x5x2x4xbf16>
    %21 = stablehlo.multiply %18, %20 : tensor<2x5x2x4xbf16>
    %22 = stablehlo.convert %21 : (tensor<2x5x2x4xbf16>) -> tensor<2x5x2x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x2x4xf32>, tensor<f32>) -> tensor<2x5x4xf32>
    %24 = stablehlo.convert %23 : (tensor<2x5x4xf32>) -> tensor<2x5x4xbf16>
    %25 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<4x8x6xbf16>) -> tensor<2x5x4x6xbf16>
    %26 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<4x8x6xbf16>) -> tensor<2x5x4x6xbf16>
    %27 = call @silu(%25) : (tensor<2x5x4x6xbf16>) -> tensor<2x5x4x6xbf16>
    %28 = stablehlo.multiply %27, %26 : tensor<2x5x4x6xbf16>
    %29 = stablehlo.dot_general %arg4, %28, batching_dims = [0] x [2], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xbf16>, tensor<2x5x4x6xbf16>) -> tensor<4x8x2x5xbf16>
    %30 = stablehlo.transpose %29, dims = [2, 3, 0, 1] : (tensor<4x8x2x5xbf16>) -> tensor<2x5x4x8xbf16>
    %31 = stablehlo.dot_general %30, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x8xbf16>, tensor<2x5x4xbf16>) -> tensor<2x5x8xbf16>
    %32 = stablehlo.add %arg0, %31 : tensor<2x5x8xbf16>
    return %32 : tensor<2x5x8xbf16>
  }
  func.func private @_one_hot(%arg0: tensor<2x5x2xi32>) -> tensor<2x5x2x4xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<2x5x2xi32>) -> tensor<2x5x2x1xi32>
    %1 = stablehlo.iota dim = 3 : tensor<1x1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<2x5x2x1xi32>) -> tensor<2x5x2x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<2x5x2x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x2x4xi32>, tensor<2x5x2x4xi32>) -> tensor<2x5x2x4xi1>
    %5 = stablehlo.convert %4 : (tensor<2x5x2x4xi1>) -> tensor<2x5x2x4xbf16>
    return %5 : tensor<2x5x2x4xbf16>
  }
  func.func private @silu(%arg0: tensor<2x5x4x6xbf16>) -> tensor<2x5x4x6xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<2x5x4x6xbf16>
    %1 = stablehlo.exponential %0 : tensor<2x5x4x6xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x5x4x6xbf16>
    %3 = stablehlo.add %2, %1 : tensor<2x5x4x6xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x5x4x6xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x4x6xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x4x6xbf16>
    return %6 : tensor<2x5x4x6xbf16>
  }
}
