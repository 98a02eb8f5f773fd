// Spellings of masks and of the way of a score.
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s

// A select of the scores where the table allows them.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %s = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// The other operand order, and a scale before.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 0.25, causal = true>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-3.40282347E+38> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[false, true, true, true, true], [false, false, true, true, true], [false, false, false, true, true], [false, false, false, false, true], [false, false, false, false, false]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %h = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %b = tosa.mul %a, %h, %i : (tensor<1x5x5xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %s = tosa.select %m, %f, %b : (tensor<1x5x5xi1>, tensor<1x1x1xf32>, tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// A table that is added, and then scaled with the scores.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 0.25, causal = true>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %m = "tosa.const"() <{values = dense<[[[0.0, -1.0e9, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, 0.0, -1.0e9], [0.0, 0.0, 0.0, 0.0, 0.0]]]> : tensor<1x5x5xf32>}> : () -> tensor<1x5x5xf32>
  %h = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %b = tosa.add %m, %a : (tensor<1x5x5xf32>, tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %s = tosa.mul %h, %b, %i : (tensor<1x1x1xf32>, tensor<1x5x5xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// Positions that are compared.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %t = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4]> : tensor<5xi32>}> : () -> tensor<5xi32>
  %rs = tosa.const_shape {values = dense<[1, 5, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %cs = tosa.const_shape {values = dense<[1, 1, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %row = tosa.reshape %t, %rs : (tensor<5xi32>, !tosa.shape<3>) -> tensor<1x5x1xi32>
  %column = tosa.reshape %t, %cs : (tensor<5xi32>, !tosa.shape<3>) -> tensor<1x1x5xi32>
  %d = tosa.sub %column, %row : (tensor<1x1x5xi32>, tensor<1x5x1xi32>) -> tensor<1x5x5xi32>
  %one = "tosa.const"() <{values = dense<1> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
  %m = tosa.greater_equal %d, %one : (tensor<1x5x5xi32>, tensor<1x1x1xi32>) -> tensor<1x5x5xi1>
  %n = tosa.logical_not %m : (tensor<1x5x5xi1>) -> tensor<1x5x5xi1>
  %s = tosa.select %n, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// A window of two keys.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true, window = 2>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [false, true, true, false, false], [false, false, true, true, false], [false, false, false, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %s = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// A soft cap before the mask.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true, softcap = 32.0, order = scale_cap_bias>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %h = "tosa.const"() <{values = dense<0.03125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %g = "tosa.const"() <{values = dense<32.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %b = tosa.mul %a, %h, %i : (tensor<1x5x5xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %y = tosa.tanh %b : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %w = tosa.mul %y, %g, %i : (tensor<1x5x5xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %s = tosa.select %m, %w, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// What an input hides is added, as a number that leaves nothing of the score.
// CHECK-LABEL: func.func @main(
// CHECK: %[[BIAS:.*]] = arith.select
// CHECK: %[[FOUR:.*]] = tensor.expand_shape %[[BIAS]]
// CHECK: block.sdpa %arg0, %arg1, %arg2 score_bias %[[FOUR]] {heads = 1, scores = #block.scores<scale = 1.0>}
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>, %m: tensor<1x5x5xi1>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-1.0e9> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// A mask that is written out for each batch row is one mask.
// CHECK-LABEL: func.func @main(
// CHECK: block.sdpa %arg0, %arg1, %arg2 {heads = 1, scores = #block.scores<scale = 1.0, causal = true>}
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x3x8xf32>) -> tensor<2x8x3xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x3x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x3xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false], [true, true, false], [true, true, true]], [[true, false, false], [true, true, false], [true, true, true]]]> : tensor<2x3x3xi1>}> : () -> tensor<2x3x3xi1>
  %s = tosa.select %m, %a, %f : (tensor<2x3x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
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

// Two masks stay.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.sdpa
// CHECK: tosa.exp
func.func @main(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x3x8xf32>) -> tensor<2x8x3xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x3x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x3xf32>
  %f = "tosa.const"() <{values = dense<-1.0e10> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false], [true, true, false], [true, true, true]], [[true, false, false], [true, true, true], [true, true, true]]]> : tensor<2x3x3xi1>}> : () -> tensor<2x3x3xi1>
  %s = tosa.select %m, %a, %f : (tensor<2x3x3xi1>, tensor<2x3x3xf32>, tensor<1x1x1xf32>) -> tensor<2x3x3xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x3x3xf32>, tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %e = tosa.exp %c : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x3x3xf32>, tensor<2x3x1xf32>, tensor<1xi8>) -> tensor<2x3x3xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x3x3xf32>, tensor<2x3x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}
