// Lengths beside a causal mask of another fill: a name where padding is read by nobody.
// RUN: block-opt --unbroken-lines %s --split-input-file --block-raise | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 lengths %[[LENGTHS]] {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x3x8xf32>) -> tensor<2x8x3xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x3x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x3xf32>
  %low = "tosa.const"() <{values = dense<-3.4e38> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false], [true, true, false], [true, true, true]]]> : tensor<1x3x3xi1>}> : () -> tensor<1x3x3xi1>
  %causal = tosa.select %m, %a, %low : (tensor<1x3x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
  %shape = tosa.const_shape {values = dense<[2, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %rows = tosa.reshape %lengths, %shape : (tensor<2xi64>, !tosa.shape<3>) -> tensor<2x1x1xi64>
  %keys = "tosa.const"() <{values = dense<[[[0, 1, 2]]]> : tensor<1x1x3xi64>}> : () -> tensor<1x1x3xi64>
  %real = "tosa.greater"(%rows, %keys) : (tensor<2x1x1xi64>, tensor<1x1x3xi64>) -> tensor<2x1x3xi1>
  %none = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.select %real, %causal, %none : (tensor<2x1x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x3x3xf32>, tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %e = tosa.exp %c : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x3x3xf32>, tensor<2x3x1xf32>, tensor<1xi8>) -> tensor<2x3x3xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x3x3xf32>, tensor<2x3x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// A row of length 0 has the mean of all values here, so that nothing has a name.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<2xi64> {block.input = "mask"}
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %{{[a-z0-9_]+}} {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %lengths: tensor<2xi64> {block.input = "mask"}) -> tensor<2x3x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x3x8xf32>) -> tensor<2x8x3xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x3x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x3xf32>
  %low = "tosa.const"() <{values = dense<-3.4e38> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false], [true, true, false], [true, true, true]]]> : tensor<1x3x3xi1>}> : () -> tensor<1x3x3xi1>
  %causal = tosa.select %m, %a, %low : (tensor<1x3x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
  %shape = tosa.const_shape {values = dense<[2, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %rows = tosa.reshape %lengths, %shape : (tensor<2xi64>, !tosa.shape<3>) -> tensor<2x1x1xi64>
  %keys = "tosa.const"() <{values = dense<[[[0, 1, 2]]]> : tensor<1x1x3xi64>}> : () -> tensor<1x1x3xi64>
  %real = "tosa.greater"(%rows, %keys) : (tensor<2x1x1xi64>, tensor<1x1x3xi64>) -> tensor<2x1x3xi1>
  %none = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.select %real, %causal, %none : (tensor<2x1x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x3x3xf32>, tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %e = tosa.exp %c : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x3x3xf32>, tensor<2x3x1xf32>, tensor<1xi8>) -> tensor<2x3x3xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x3x3xf32>, tensor<2x3x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}
