// Masks of numbers that are no whole ones: as truth values they are what differs from 0, not what they are rounded to.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK-LABEL: func.func @tosa(
// CHECK: block.attention {{.*}}causal = true
func.func @tosa(%x: tensor<1x3x4xf32> {block.input = "x"}, %wq: tensor<1x4x4xf32> {block.param = "wq"}, %wk: tensor<1x4x4xf32> {block.param = "wk"}, %wv: tensor<1x4x4xf32> {block.param = "wv"}, %wo: tensor<1x4x4xf32> {block.param = "wo"}) -> tensor<1x3x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %half = "tosa.const"() <{values = dense<0.5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %lowest = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %mask = "tosa.const"() <{values = dense<[[[0.25, 0.0, 0.0], [0.25, -0.25, 0.0], [0.25, 0.5, 0.125]]]> : tensor<1x3x3xf32>}> : () -> tensor<1x3x3xf32>
  %q = tosa.matmul %x, %wq, %zero, %zero : (tensor<1x3x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  %k = tosa.matmul %x, %wk, %zero, %zero : (tensor<1x3x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  %v = tosa.matmul %x, %wv, %zero, %zero : (tensor<1x3x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x3x4xf32>) -> tensor<1x4x3xf32>
  %raw = tosa.matmul %q, %kt, %zero, %zero : (tensor<1x3x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3xf32>
  %scaled = tosa.mul %raw, %half, %shift : (tensor<1x3x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x3xf32>
  %shown = tosa.cast %mask : (tensor<1x3x3xf32>) -> tensor<1x3x3xi1>
  %s = tosa.select %shown, %scaled, %lowest : (tensor<1x3x3xi1>, tensor<1x3x3xf32>, tensor<1x1x1xf32>) -> tensor<1x3x3xf32>
  %most = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x3x3xf32>) -> tensor<1x3x1xf32>
  %below = tosa.sub %s, %most : (tensor<1x3x3xf32>, tensor<1x3x1xf32>) -> tensor<1x3x3xf32>
  %e = tosa.exp %below : (tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x3x3xf32>) -> tensor<1x3x1xf32>
  %inverse = tosa.reciprocal %sum : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %p = tosa.mul %e, %inverse, %shift : (tensor<1x3x3xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x3xf32>
  %mixed = tosa.matmul %p, %v, %zero, %zero : (tensor<1x3x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  %o = tosa.matmul %mixed, %wo, %zero, %zero : (tensor<1x3x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  return %o : tensor<1x3x4xf32>
}
