// A softmax over one key is 1. Folders take its maximum and its sum away; attention is
// recognised all the same, with its projections and with what may hide the key.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-opt %t/cross.mlir --block-raise -o %t/cross.raised.mlir
// RUN: FileCheck %s --check-prefix=CROSS < %t/cross.raised.mlir
// RUN: block-run %t/cross.raised.mlir --engine=reference --seed=1 --baseline=%t/cross.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/added.mlir --block-raise -o %t/added.raised.mlir
// RUN: FileCheck %s --check-prefix=ADDED < %t/added.raised.mlir
// RUN: block-run %t/added.raised.mlir --engine=reference --seed=1 --baseline=%t/added.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/safe.mlir --block-raise -o %t/safe.raised.mlir
// RUN: FileCheck %s --check-prefix=SAFE < %t/safe.raised.mlir
// RUN: block-run %t/safe.raised.mlir --engine=reference --seed=1 --baseline=%t/safe.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/classes.mlir --block-raise -o %t/classes.raised.mlir
// RUN: FileCheck %s --check-prefix=CLASSES < %t/classes.raised.mlir
// RUN: block-run %t/classes.raised.mlir --engine=reference --seed=1 --baseline=%t/classes.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/unknown.mlir --block-raise --block-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// SAME: PASS

// Keys have the source of the values, whichever product comes first.
// CROSS: block.attention %arg0 memory %arg1 q %arg4 k %arg2 v %arg3 {heads = 2, scores = #block.scores<scale = 0.5>}

// What an input adds may hide the key.
// ADDED: block.sdpa %arg0, %arg1, %arg2 score_bias %{{.*}} {heads = 1, scores = #block.scores<scale = 1.0>}

// Rows whose only key is hidden are 0.
// SAFE: block.sdpa %arg0, %arg1, %arg2 score_bias %{{.*}} {heads = 1, scores = #block.scores<scale = 1.0>}

// A softmax over one class weighs nothing.
// CLASSES-NOT: = block.
// CLASSES: return

// UNKNOWN: missed attention: unknown-scores: {{.*}} (

//--- cross.mlir
func.func @main(%x: tensor<1x1x8xf32> {block.input = "x"}, %m: tensor<1x1x8xf32> {block.input = "m"},
    %wk: tensor<8x8xf32> {block.param = "k"}, %wv: tensor<8x8xf32> {block.param = "v"}, %wq: tensor<8x8xf32> {block.param = "q"})
    -> (tensor<1x1x8xf32> {block.output = "y"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %whole = tosa.const_shape {values = dense<[1, 8, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %heads = tosa.const_shape {values = dense<[2, 1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %row = tosa.const_shape {values = dense<[1, 1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %wkt = tosa.transpose %wk {perms = array<i32: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %wk3 = tosa.reshape %wkt, %whole : (tensor<8x8xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %k = tosa.matmul %m, %wk3, %z, %z : (tensor<1x1x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x8xf32>
  %wvt = tosa.transpose %wv {perms = array<i32: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %wv3 = tosa.reshape %wvt, %whole : (tensor<8x8xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %v = tosa.matmul %m, %wv3, %z, %z : (tensor<1x1x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x8xf32>
  %wqt = tosa.transpose %wq {perms = array<i32: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %wq3 = tosa.reshape %wqt, %whole : (tensor<8x8xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %q = tosa.matmul %x, %wq3, %z, %z : (tensor<1x1x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x8xf32>
  %qh = tosa.reshape %q, %heads : (tensor<1x1x8xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
  %kh = tosa.reshape %k, %heads : (tensor<1x1x8xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
  %vh = tosa.reshape %v, %heads : (tensor<1x1x8xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
  %kt = tosa.transpose %kh {perms = array<i32: 0, 2, 1>} : (tensor<2x1x4xf32>) -> tensor<2x4x1xf32>
  %a = tosa.matmul %qh, %kt, %z, %z : (tensor<2x1x4xf32>, tensor<2x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %h = "tosa.const"() <{values = dense<0.5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.mul %a, %h, %i : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %e = tosa.exp %c : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1xf32>
  %o = tosa.matmul %p, %vh, %z, %z : (tensor<2x1x1xf32>, tensor<2x1x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x4xf32>
  %y = tosa.reshape %o, %row : (tensor<2x1x4xf32>, !tosa.shape<3>) -> tensor<1x1x8xf32>
  return %y : tensor<1x1x8xf32>
}

//--- added.mlir
func.func @main(%q: tensor<2x1x8xf32> {block.input = "q"}, %k: tensor<2x1x8xf32> {block.input = "k"}, %v: tensor<2x1x8xf32> {block.input = "v"},
    %b: tensor<2x1x1xf32> {block.input = "b"}) -> (tensor<2x1x8xf32> {block.output = "y"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x1x8xf32>) -> tensor<2x8x1xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x1x8xf32>, tensor<2x8x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %s = tosa.add %a, %b : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %e = tosa.exp %c : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x1x1xf32>, tensor<2x1x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x8xf32>
  return %o : tensor<2x1x8xf32>
}

//--- safe.mlir
func.func @main(%q: tensor<4x1x8xf32> {block.input = "q"}, %k: tensor<4x1x8xf32> {block.input = "k"}, %v: tensor<4x1x8xf32> {block.input = "v"},
    %b: tensor<4x1x1xf32> {block.input = "b"}) -> (tensor<4x1x8xf32> {block.output = "y"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z3 = "tosa.const"() <{values = dense<0.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %lowest = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<4x1x8xf32>) -> tensor<4x8x1xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<4x1x8xf32>, tensor<4x8x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1x1xf32>
  %seen = tosa.greater %b, %z3 : (tensor<4x1x1xf32>, tensor<1x1x1xf32>) -> tensor<4x1x1xi1>
  %s = tosa.select %seen, %a, %lowest : (tensor<4x1x1xi1>, tensor<4x1x1xf32>, tensor<1x1x1xf32>) -> tensor<4x1x1xf32>
  %is = tosa.equal %s, %lowest : (tensor<4x1x1xf32>, tensor<1x1x1xf32>) -> tensor<4x1x1xi1>
  %all = tosa.reduce_all %is {axis = 2 : i32} : (tensor<4x1x1xi1>) -> tensor<4x1x1xi1>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %c = tosa.sub %s, %max : (tensor<4x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %e = tosa.exp %c : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<4x1x1xf32>, tensor<4x1x1xf32>, tensor<1xi8>) -> tensor<4x1x1xf32>
  %w = tosa.select %all, %z3, %p : (tensor<4x1x1xi1>, tensor<1x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %o = tosa.matmul %w, %v, %z, %z : (tensor<4x1x1xf32>, tensor<4x1x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1x8xf32>
  return %o : tensor<4x1x8xf32>
}

//--- classes.mlir
func.func @main(%x: tensor<2x3x1xf32> {block.input = "x"}) -> (tensor<2x3x1xf32> {block.output = "y"}) {
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %max = tosa.reduce_max %x {axis = 2 : i32} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %c = tosa.sub %x, %max : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %e = tosa.exp %c : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<1xi8>) -> tensor<2x3x1xf32>
  return %p : tensor<2x3x1xf32>
}

//--- unknown.mlir
func.func @main(%q: tensor<2x1x8xf32> {block.input = "q"}, %k: tensor<2x1x8xf32> {block.input = "k"}, %v: tensor<2x1x8xf32> {block.input = "v"})
    -> (tensor<2x1x8xf32> {block.output = "y"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x1x8xf32>) -> tensor<2x8x1xf32>
  %a = tosa.matmul %q, %kt, %z, %z : (tensor<2x1x8xf32>, tensor<2x8x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %s = tosa.sin %a : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %c = tosa.sub %s, %max : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %e = tosa.exp %c : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %p = tosa.mul %e, %inv, %i : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x1x1xf32>, tensor<2x1x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x8xf32>
  return %o : tensor<2x1x8xf32>
}
