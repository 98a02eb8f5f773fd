// A bias is one of many scores, and a range of its numbers is one of as many as it has: of four thousand million here.
// RUN: block-opt %s --block-raise | FileCheck %s
// CHECK: func.func @main(%[[Q:.*]]: tensor<65536x1024x8xf32>
// CHECK: %[[K:.*]]: tensor<65536x64x8xf32>
// CHECK: %[[V:.*]]: tensor<65536x64x8xf32>
// CHECK: %[[BIAS:.*]] = tensor.expand_shape
// CHECK: block.sdpa %[[Q]], %[[K]], %[[V]] score_bias %[[BIAS]] {heads = 1
func.func @main(%q: tensor<65536x1024x8xf32>, %k: tensor<65536x64x8xf32>, %v: tensor<65536x64x8xf32>) -> tensor<65536x1024x8xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %seen = "tosa.const"() {values = dense<0.0> : tensor<1x1x48xf32>} : () -> tensor<1x1x48xf32>
  %unseen = "tosa.const"() {values = dense<0xFF800000> : tensor<1x1x16xf32>} : () -> tensor<1x1x16xf32>
  %bias = tosa.concat %seen, %unseen {axis = 2 : i32} : (tensor<1x1x48xf32>, tensor<1x1x16xf32>) -> tensor<1x1x64xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<65536x64x8xf32>) -> tensor<65536x8x64xf32>
  %dots = tosa.matmul %q, %kt, %zero, %zero : (tensor<65536x1024x8xf32>, tensor<65536x8x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<65536x1024x64xf32>
  %s = tosa.add %dots, %bias : (tensor<65536x1024x64xf32>, tensor<1x1x64xf32>) -> tensor<65536x1024x64xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<65536x1024x64xf32>) -> tensor<65536x1024x1xf32>
  %d = tosa.sub %s, %m : (tensor<65536x1024x64xf32>, tensor<65536x1024x1xf32>) -> tensor<65536x1024x64xf32>
  %e = tosa.exp %d : (tensor<65536x1024x64xf32>) -> tensor<65536x1024x64xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<65536x1024x64xf32>) -> tensor<65536x1024x1xf32>
  %r = tosa.reciprocal %sum : (tensor<65536x1024x1xf32>) -> tensor<65536x1024x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %p = tosa.mul %e, %r, %shift : (tensor<65536x1024x64xf32>, tensor<65536x1024x1xf32>, tensor<1xi8>) -> tensor<65536x1024x64xf32>
  %o = tosa.matmul %p, %v, %zero, %zero : (tensor<65536x1024x64xf32>, tensor<65536x64x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<65536x1024x8xf32>
  return %o : tensor<65536x1024x8xf32>
}
