// Each reason why a candidate stays as it is.
// RUN: block-opt %s --split-input-file --block-raise -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="not-projected:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %s = tosa.identity %a : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-loss:
func.func @main(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<5.0e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %chosen = tosa.select %own, %logits, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %rest = tosa.select %own, %hidden, %logits : (tensor<6x5xi1>, tensor<1x1xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %most = tosa.reduce_max %rest {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %rest, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %sum = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %total = tosa.maximum %sum, %least : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %margin = tosa.sub %most, %picked : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %z = tosa.add %margin, %log : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %size = tosa.abs %z : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %minus = tosa.sub %zero, %size : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %power = tosa.exp %minus : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %tail = math.log1p %power : tensor<6x1xf32>
  %above = tosa.maximum %z, %zero : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %loss = tosa.add %above, %tail : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %square = tosa.mul %loss, %loss, %shift : (tensor<6x1xf32>, tensor<6x1xf32>, tensor<1xi8>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %square : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-scores:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %s = tosa.abs %a : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-mask:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [true, false, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %f = "tosa.const"() <{values = dense<[[[-1.0e9, -2.0e9, -3.0e9, -4.0e9, -5.0e9]]]> : tensor<1x1x5xf32>}> : () -> tensor<1x1x5xf32>
  %s = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x5xf32>) -> tensor<1x5x5xf32>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="row-without-keys:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %m = "tosa.const"() <{values = dense<[[[false, false, false, false, false], [true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="mask-does-not-absorb:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %f = "tosa.const"() <{values = dense<-5.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-score-bias:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %b = "tosa.const"() <{values = dense<[[[0.0, 1.0, 4.0, 9.0, 16.0e9]]]> : tensor<1x1x5xf32>}> : () -> tensor<1x1x5xf32>
  %m = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %f = "tosa.const"() <{values = dense<-1.0e9> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %h = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %s = tosa.add %h, %b : (tensor<1x5x5xf32>, tensor<1x1x5xf32>) -> tensor<1x5x5xf32>
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

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="data-dependent-mask:
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>, %m: tensor<1x5x5xi1>, %b: tensor<1x5x5xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %f = "tosa.const"() <{values = dense<-3.0e38> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.select %m, %a, %f : (tensor<1x5x5xi1>, tensor<1x5x5xf32>, tensor<1x1x1xf32>) -> tensor<1x5x5xf32>
  %t = tosa.add %s, %b : (tensor<1x5x5xf32>, tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %t {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %t, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-head-layout:
func.func @main(%q: tensor<2x5x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %o1 = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
  %n1 = tosa.const_shape {values = dense<[1, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r1 = tosa.const_shape {values = dense<[2, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v0 = tosa.slice %v, %o1, %n1 : (tensor<2x5x8xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x5x8xf32>
  %w = tosa.tile %v0, %r1 : (tensor<1x5x8xf32>, !tosa.shape<3>) -> tensor<2x5x8xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x5x8xf32>, tensor<2x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x5x5xf32>
  %s = tosa.identity %a : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x5x5xf32>) -> tensor<2x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x5x5xf32>, tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
  %e = tosa.exp %c : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x5x5xf32>) -> tensor<2x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x5x5xf32>, tensor<2x5x1xf32>, tensor<1xi8>) -> tensor<2x5x5xf32>
  %o = tosa.matmul %p, %w, %z, %z : (tensor<2x5x5xf32>, tensor<2x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x5x8xf32>
  return %o : tensor<2x5x8xf32>
}

// -----

// The sum of values is over queries, the softmax over keys; there are as many.
// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-head-layout: values are summed over another dimension than the softmax"
func.func @main(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x5x8xf32>) -> tensor<1x8x5xf32>
  %s = tosa.matmul %q, %kt, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %c = tosa.sub %s, %max : (tensor<1x5x5xf32>, tensor<1x5x1xf32>) -> tensor<1x5x5xf32>
  %e = tosa.exp %c : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x5x5xf32>) -> tensor<1x5x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<1x5x5xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x5xf32>
  %pt = tosa.transpose %p {perms = array<i32: 0, 2, 1>} : (tensor<1x5x5xf32>) -> tensor<1x5x5xf32>
  %o = tosa.matmul %pt, %v, %z, %z : (tensor<1x5x5xf32>, tensor<1x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  return %o : tensor<1x5x8xf32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-activation:
func.func @main(%x: tensor<1x5x8xf32>, %u: tensor<1x8x16xf32> {block.param = "u"}, %d: tensor<1x16x8xf32> {block.param = "d"}) -> tensor<1x5x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %h = tosa.matmul %x, %u, %z, %z : (tensor<1x5x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x16xf32>
  %r = "tosa.const"() <{values = dense<0.7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %half = "tosa.const"() <{values = dense<0.5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %a = tosa.mul %h, %r, %i : (tensor<1x5x16xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x16xf32>
  %e = tosa.erf %a : (tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
  %f = tosa.add %e, %one : (tensor<1x5x16xf32>, tensor<1x1x1xf32>) -> tensor<1x5x16xf32>
  %g = tosa.mul %f, %half, %i : (tensor<1x5x16xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x16xf32>
  %y = tosa.mul %h, %g, %i : (tensor<1x5x16xf32>, tensor<1x5x16xf32>, tensor<1xi8>) -> tensor<1x5x16xf32>
  %o = tosa.matmul %y, %d, %z, %z : (tensor<1x5x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  %s = tosa.add %x, %o : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %s : tensor<1x5x8xf32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="not-a-rotation:
func.func @main(%a: tensor<1x5x2xf32>, %b: tensor<1x5x2xf32>) -> tensor<1x5x4xf32> {
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %x = tosa.concat %a, %b {axis = 2 : i32} : (tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<1x5x4xf32>
  %g = tosa.exp %x : (tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %o0 = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
  %o2 = tosa.const_shape {values = dense<[0, 0, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %n = tosa.const_shape {values = dense<[1, 5, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %c = "tosa.const"() <{values = dense<0.5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %d = "tosa.const"() <{values = dense<0.1> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %l = tosa.slice %g, %o0, %n : (tensor<1x5x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x5x2xf32>
  %h = tosa.slice %g, %o2, %n : (tensor<1x5x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x5x2xf32>
  %lc = tosa.mul %l, %c, %i : (tensor<1x5x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x2xf32>
  %hs = tosa.mul %h, %d, %i : (tensor<1x5x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x2xf32>
  %hc = tosa.mul %h, %c, %i : (tensor<1x5x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x2xf32>
  %ls = tosa.mul %l, %d, %i : (tensor<1x5x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x2xf32>
  %y = tosa.sub %lc, %hs : (tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<1x5x2xf32>
  %w = tosa.add %hc, %ls : (tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<1x5x2xf32>
  %r = tosa.concat %y, %w {axis = 2 : i32} : (tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<1x5x4xf32>
  return %r : tensor<1x5x4xf32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="dynamic-shape:
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %twice = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %y = tosa.tile %x, %twice : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// CHECK: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="unknown-choice: the weights of experts are not known to be those of chosen ones"
func.func @main(%x: tensor<1x5x8xf32>, %c: tensor<1x5x4xf32> {block.input = "c"}, %up: tensor<4x8x6xf32>, %down: tensor<4x6x8xf32>) -> tensor<1x5x8xf32> {
  %h = stablehlo.dot_general %x, %up, contracting_dims = [2] x [1] : (tensor<1x5x8xf32>, tensor<4x8x6xf32>) -> tensor<1x5x4x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<1x5x4x6xf32>
  %r = stablehlo.maximum %h, %z : tensor<1x5x4x6xf32>
  %w = stablehlo.broadcast_in_dim %c, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<1x5x4x6xf32>
  %m = stablehlo.multiply %r, %w : tensor<1x5x4x6xf32>
  %y = stablehlo.dot_general %m, %down, contracting_dims = [2, 3] x [0, 1] : (tensor<1x5x4x6xf32>, tensor<4x6x8xf32>) -> tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}

// How far the matchers came is in the dump.
// RUN: block-opt %s --split-input-file --block-raise --block-raise-dump -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: not recognised: heads without their projections, [[SDPA:%[0-9]+]] = sdpa 5x8 (%0, %1, %2)
// DUMP-NEXT: groupAttention at [[SDPA]]: not-projected: queries or keys are no projections
// DUMP: not recognised: a softmax, {{.*}} = softmax 5x5
// DUMP-NEXT: matchSdpa at {{.*}}: found values weighted by a softmax; unknown-scores: no product of queries and keys was found, got abs
// DUMP: not recognised: a softmax
// DUMP-NEXT: matchSdpa at {{.*}}: found values weighted by a softmax, a product of queries and keys, heads, queries and keys; unknown-mask:
