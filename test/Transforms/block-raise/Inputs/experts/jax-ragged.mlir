// Sorted rows as JAX prints ragged_dot for a CPU: a copy of all rows for each group, 0 where they are of another.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.moe %arg0 router %{{.*}} up %{{.*}} down %arg4
// CHECK: routing = #block.routing<chosen = 2, score = softmax, divide_by = added>
// CHECK: block.residual %arg0
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8x6xf32>, %arg3: tensor<4x8x6xf32>, %arg4: tensor<4x6x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x8xf32>) -> tensor<10x8xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x8xf32>, tensor<8x4xf32>) -> tensor<10x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<10xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<10xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<10x4xf32>
    %8 = stablehlo.exponential %7 : tensor<10x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<10xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<10x4xf32>
    %values, %indices = chlo.top_k(%12, k = 2) : tensor<10x4xf32> -> (tensor<10x2xf32>, tensor<10x2xi32>)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%values init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<10x2xf32>, tensor<f32>) -> tensor<10xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x2xf32>
    %16 = stablehlo.divide %values, %15 : tensor<10x2xf32>
    %17 = stablehlo.reshape %indices : (tensor<10x2xi32>) -> tensor<20xi32>
    %18 = call @argsort(%17) : (tensor<20xi32>) -> tensor<20xi32>
    %19 = call @argsort(%18) : (tensor<20xi32>) -> tensor<20xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %21 = call @clip(%17, %c_3) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %23 = stablehlo.compare LT, %21, %22, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %25 = stablehlo.add %21, %24 : tensor<20xi32>
    %26 = stablehlo.select %23, %25, %21 : tensor<20xi1>, tensor<20xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %29 = "stablehlo.scatter"(%20, %27, %28) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %100 = stablehlo.add %arg5, %arg6 : tensor<i32>
      stablehlo.return %100 : tensor<i32>
    }) : (tensor<4xi32>, tensor<20x1xi32>, tensor<20xi32>) -> tensor<4xi32>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %31 = stablehlo.divide %18, %30 : tensor<20xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %33 = stablehlo.compare LT, %31, %32, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_9 = stablehlo.constant dense<10> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %35 = stablehlo.add %31, %34 : tensor<20xi32>
    %36 = stablehlo.select %33, %35, %31 : tensor<20xi1>, tensor<20xi32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %38 = "stablehlo.gather"(%0, %37) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<20x1xi32>) -> tensor<20x8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<4x20x8xf32>
    %40 = stablehlo.iota dim = 1 : tensor<4x20x8xi32>
    %41 = call @cumsum(%29) : (tensor<4xi32>) -> tensor<4xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %43 = stablehlo.slice %42 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %44 = stablehlo.slice %41 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %45 = stablehlo.concatenate %43, %44, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %46 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %48 = stablehlo.compare LE, %47, %40, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %49 = stablehlo.compare LT, %40, %46, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %50 = stablehlo.and %48, %49 : tensor<4x20x8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x20x8xf32>
    %52 = stablehlo.select %50, %39, %51 : tensor<4x20x8xi1>, tensor<4x20x8xf32>
    %53 = stablehlo.dot_general %52, %arg2, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x20x8xf32>, tensor<4x8x6xf32>) -> tensor<20x6xf32>
    %54 = call @silu(%53) : (tensor<20x6xf32>) -> tensor<20x6xf32>
    %55 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<4x20x8xf32>
    %56 = stablehlo.iota dim = 1 : tensor<4x20x8xi32>
    %57 = call @cumsum(%29) : (tensor<4xi32>) -> tensor<4xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %59 = stablehlo.slice %58 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %60 = stablehlo.slice %57 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %61 = stablehlo.concatenate %59, %60, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %62 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %63 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %64 = stablehlo.compare LE, %63, %56, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %65 = stablehlo.compare LT, %56, %62, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %66 = stablehlo.and %64, %65 : tensor<4x20x8xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x20x8xf32>
    %68 = stablehlo.select %66, %55, %67 : tensor<4x20x8xi1>, tensor<4x20x8xf32>
    %69 = stablehlo.dot_general %68, %arg3, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x20x8xf32>, tensor<4x8x6xf32>) -> tensor<20x6xf32>
    %70 = stablehlo.multiply %54, %69 : tensor<20x6xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [1, 2] : (tensor<20x6xf32>) -> tensor<4x20x6xf32>
    %72 = stablehlo.iota dim = 1 : tensor<4x20x6xi32>
    %73 = call @cumsum(%29) : (tensor<4xi32>) -> tensor<4xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %75 = stablehlo.slice %74 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %76 = stablehlo.slice %73 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %77 = stablehlo.concatenate %75, %76, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %78 = stablehlo.broadcast_in_dim %73, dims = [0] : (tensor<4xi32>) -> tensor<4x20x6xi32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<4xi32>) -> tensor<4x20x6xi32>
    %80 = stablehlo.compare LE, %79, %72, SIGNED : (tensor<4x20x6xi32>, tensor<4x20x6xi32>) -> tensor<4x20x6xi1>
    %81 = stablehlo.compare LT, %72, %78, SIGNED : (tensor<4x20x6xi32>, tensor<4x20x6xi32>) -> tensor<4x20x6xi1>
    %82 = stablehlo.and %80, %81 : tensor<4x20x6xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x20x6xf32>
    %84 = stablehlo.select %82, %71, %83 : tensor<4x20x6xi1>, tensor<4x20x6xf32>
    %85 = stablehlo.dot_general %84, %arg4, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x20x6xf32>, tensor<4x6x8xf32>) -> tensor<20x8xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %86 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %87 = stablehlo.compare LT, %19, %86, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_17 = stablehlo.constant dense<20> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %89 = stablehlo.add %19, %88 : tensor<20xi32>
    %90 = stablehlo.select %87, %89, %19 : tensor<20xi1>, tensor<20xi32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %92 = "stablehlo.gather"(%85, %91) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<20x1xi32>) -> tensor<20x8xf32>
    %93 = stablehlo.reshape %92 : (tensor<20x8xf32>) -> tensor<10x2x8xf32>
    %94 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<10x2xf32>) -> tensor<10x2x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<10x2x1xf32>) -> tensor<10x2x8xf32>
    %96 = stablehlo.multiply %93, %95 : tensor<10x2x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<10x2x8xf32>, tensor<f32>) -> tensor<10x8xf32>
    %98 = stablehlo.reshape %97 : (tensor<10x8xf32>) -> tensor<2x5x8xf32>
    %99 = stablehlo.add %arg0, %98 : tensor<2x5x8xf32>
    return %99 : tensor<2x5x8xf32>
  }
  func.func private @argsort(%arg0: tensor<20xi32>) -> tensor<20xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<20xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<20xi32>, tensor<20xi32>) -> (tensor<20xi32>, tensor<20xi32>)
    return %1#1 : tensor<20xi32>
  }
  func.func private @clip(%arg0: tensor<20xi32>, %arg1: tensor<i32>) -> tensor<20xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<20xi32>
    return %2 : tensor<20xi32>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @silu(%arg0: tensor<20x6xf32>) -> tensor<20x6xf32> {
    %0 = stablehlo.negate %arg0 : tensor<20x6xf32>
    %1 = stablehlo.exponential %0 : tensor<20x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x6xf32>
    %3 = stablehlo.add %2, %1 : tensor<20x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x6xf32>
    %5 = stablehlo.divide %4, %3 : tensor<20x6xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<20x6xf32>
    return %6 : tensor<20x6xf32>
  }
}
