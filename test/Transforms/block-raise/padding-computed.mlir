// Lengths behind masks that are computed, with fills of finite numbers.
// RUN: block-opt --unbroken-lines %s --split-input-file --block-raise | FileCheck %s

// 1 - mask, times a low number.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 lengths %[[LENGTHS]] {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %number = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %hidden = stablehlo.subtract %ones, %number : tensor<2x3xf32>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3xf32>
  %fill = stablehlo.multiply %hidden, %low : tensor<2x3xf32>
  %wide = stablehlo.broadcast_in_dim %fill, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %s = stablehlo.add %dots, %wide : tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Without lengths of 1 and more, a row without keys would keep its value.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %{{[a-z0-9_]+}} {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask"}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %number = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %hidden = stablehlo.subtract %ones, %number : tensor<2x3xf32>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3xf32>
  %fill = stablehlo.multiply %hidden, %low : tensor<2x3xf32>
  %wide = stablehlo.broadcast_in_dim %fill, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %s = stablehlo.add %dots, %wide : tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A causal mask and the padding, as one table of truth.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 lengths %[[LENGTHS]] {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %table = stablehlo.constant dense<[[[true, false, false], [true, true, false], [true, true, true]]]> : tensor<1x3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [0, 1, 2] : (tensor<1x3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %s = stablehlo.select %both, %dots, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// ALiBi of a running sum over real tokens: that of all tokens in front of a real one.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 lengths %[[LENGTHS]] {heads = 1, scores = #block.scores<scale = 1.0, causal = true, alibi_max = 8.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %number = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %triangle = stablehlo.constant dense<[[true, true, true], [false, true, true], [false, false, true]]> : tensor<3x3xi1>
  %before = stablehlo.broadcast_in_dim %triangle, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
  %terms = stablehlo.broadcast_in_dim %number, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x3xf32>
  %kept = stablehlo.select %before, %terms, %none : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.reduce(%kept init: %zeros) applies stablehlo.add across dimensions = [1] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %slope = stablehlo.constant dense<3.90625e-03> : tensor<2x3xf32>
  %place = stablehlo.multiply %count, %slope : tensor<2x3xf32>
  %biases = stablehlo.broadcast_in_dim %place, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %biased = stablehlo.add %dots, %biases : tensor<2x3x3xf32>
  %table = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %s = stablehlo.select %both, %biased, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Sums from the end count padding: a table.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %{{[a-z0-9_]+}} {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %number = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %triangle = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %before = stablehlo.broadcast_in_dim %triangle, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
  %terms = stablehlo.broadcast_in_dim %number, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x3xf32>
  %kept = stablehlo.select %before, %terms, %none : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.reduce(%kept init: %zeros) applies stablehlo.add across dimensions = [1] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %slope = stablehlo.constant dense<3.90625e-03> : tensor<2x3xf32>
  %place = stablehlo.multiply %count, %slope : tensor<2x3xf32>
  %biases = stablehlo.broadcast_in_dim %place, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %biased = stablehlo.add %dots, %biases : tensor<2x3x3xf32>
  %table = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %s = stablehlo.select %both, %biased, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// The mask of queries is no length.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %{{[a-z0-9_]+}} {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %table = stablehlo.constant dense<[[[true, false, false], [true, true, false], [true, true, true]]]> : tensor<1x3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [0, 1, 2] : (tensor<1x3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 1] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %s = stablehlo.select %both, %dots, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A window hides the first key, so that rows of padding have no key and differ. No result reads them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 lengths %[[LENGTHS]] {heads = 1, scores = #block.scores<scale = 1.0, causal = true, window = 2>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %table = stablehlo.constant dense<[[[true, false, false], [true, true, false], [false, true, true]]]> : tensor<1x3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [0, 1, 2] : (tensor<1x3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %s = stablehlo.select %both, %dots, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// The sum over rows reads rows of padding, so that these must not differ.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %{{[a-z0-9_]+}} {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %table = stablehlo.constant dense<[[[true, false, false], [true, true, false], [false, true, true]]]> : tensor<1x3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [0, 1, 2] : (tensor<1x3x3xi1>) -> tensor<2x3x3xi1>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %s = stablehlo.select %both, %dots, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %rows = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %rows : tensor<2x8xf32>
}
