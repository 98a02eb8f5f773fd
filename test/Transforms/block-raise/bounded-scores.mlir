// Scores with a lower bound that only hidden ones reach.
// RUN: block-opt --unbroken-lines %s --split-input-file --block-raise | FileCheck %s

// A mask of finite numbers.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %table = stablehlo.constant dense<[[0.0, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, -3.40282347E+38], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %wide = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %hidden = stablehlo.add %dots, %wide : tensor<2x3x3xf32>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<2x3x3xf32>
  %s = stablehlo.maximum %hidden, %lowest : tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// The bound raises scores of -inf, which a row that is hidden as a whole would show.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.sdpa
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %table = stablehlo.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %wide = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %hidden = stablehlo.add %dots, %wide : tensor<2x3x3xf32>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<2x3x3xf32>
  %s = stablehlo.maximum %hidden, %lowest : tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}
