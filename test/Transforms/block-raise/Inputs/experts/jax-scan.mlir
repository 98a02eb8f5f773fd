// A scan over experts, as JAX prints it: one sum for each, where its number is chosen.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.moe %arg0 router %{{.*}} up %{{.*}} down %arg4
// CHECK-NEXT: routing = #block.routing<chosen = 2, score = softmax, divide_by = added>
module @jit_scanned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8x6xf32>, %arg3: tensor<4x8x6xf32>, %arg4: tensor<4x6x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<2x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x5x4xf32>
    %7 = stablehlo.exponential %6 : tensor<2x5x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x5x4xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<2x5x4xf32> -> (tensor<2x5x2xf32>, tensor<2x5x2xi32>)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%values init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x2xf32>
    %15 = stablehlo.divide %values, %14 : tensor<2x5x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %17 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %18:9 = stablehlo.while(%iterArg = %arg2, %iterArg_4 = %arg3, %iterArg_5 = %arg4, %iterArg_6 = %17, %iterArg_7 = %indices, %iterArg_8 = %15, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %16) : tensor<4x8x6xf32>, tensor<4x8x6xf32>, tensor<4x6x8xf32>, tensor<4xi32>, tensor<2x5x2xi32>, tensor<2x5x2xf32>, tensor<2x5x8xf32>, tensor<i32>, tensor<2x5x8xf32>
    cond {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_10, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_10) : (tensor<4x8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
      %21 = func.call @dynamic_index_in_dim(%iterArg_4, %iterArg_10) : (tensor<4x8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
      %22 = func.call @dynamic_index_in_dim_0(%iterArg_5, %iterArg_10) : (tensor<4x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %23 = func.call @dynamic_index_in_dim_1(%iterArg_6, %iterArg_10) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      %24 = func.call @closed_call(%iterArg_7, %iterArg_8, %iterArg_9, %iterArg_11, %20, %21, %22, %23) : (tensor<2x5x2xi32>, tensor<2x5x2xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<2x5x8xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.add %iterArg_10, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %25, %24 : tensor<4x8x6xf32>, tensor<4x8x6xf32>, tensor<4x6x8xf32>, tensor<4xi32>, tensor<2x5x2xi32>, tensor<2x5x2xf32>, tensor<2x5x8xf32>, tensor<i32>, tensor<2x5x8xf32>
    }
    %19 = stablehlo.add %arg0, %18#8 : tensor<2x5x8xf32>
    return %19 : tensor<2x5x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x6xf32>, %arg1: tensor<i32>) -> tensor<8x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 6] : (tensor<4x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x6x8xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<2x5x2xi32>, %arg1: tensor<2x5x2xf32>, %arg2: tensor<2x5x8xf32>, %arg3: tensor<2x5x8xf32>, %arg4: tensor<8x6xf32>, %arg5: tensor<8x6xf32>, %arg6: tensor<6x8xf32>, %arg7: tensor<i32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<i32>) -> tensor<2x5x2xi32>
    %1 = stablehlo.compare EQ, %arg0, %0, SIGNED : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_where(%1, %arg1, %c) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<i32>) -> tensor<2x5x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
    %5 = call @silu(%4) : (tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %6 = stablehlo.dot_general %arg2, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x5x6xf32>
    %8 = stablehlo.dot_general %7, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x6xf32>, tensor<6x8xf32>) -> tensor<2x5x8xf32>
    %9 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<2x5x8xf32>
    %12 = stablehlo.add %arg3, %11 : tensor<2x5x8xf32>
    return %12 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x2xi1>, %arg1: tensor<2x5x2xf32>, %arg2: tensor<i32>) -> tensor<2x5x2xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x5x2xi1>, tensor<2x5x2xf32>
    return %2 : tensor<2x5x2xf32>
  }
  func.func private @silu(%arg0: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x5x6xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x6xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x6xf32>
    return %6 : tensor<2x5x6xf32>
  }
}
