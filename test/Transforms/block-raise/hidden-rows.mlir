// A number for each row leaves a softmax as it is, so it is no part of the scores; one that hides whole rows is: nothing is left of
// those, and their scores must not come back.
// RUN: block-opt %s --block-raise | FileCheck %s
// CHECK: arith.select %{{.*}} : tensor<1x3x1xi1>, tensor<1x3x1xf32>
// CHECK: %[[FIRST:.*]] = block.attention {{.*}} score_bias
// CHECK: %[[SECOND:.*]] = block.attention
// CHECK-NOT: score_bias
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @main(%x: tensor<1x3x4xf32> {block.input = "x"}, %wq: tensor<4x4xf32> {block.param = "wq"}, %wk: tensor<4x4xf32> {block.param = "wk"}, %wv: tensor<4x4xf32> {block.param = "wv"}) -> (tensor<1x3x4xf32>, tensor<1x3x4xf32>) {
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %v = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.slice %x [0:1, 0:3, 0:1] : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<1x3x1xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<1x3x1xf32>
  %test = stablehlo.compare GT, %first, %zeros : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xi1>
  %hidden = stablehlo.select %test, %zeros, %lowest : tensor<1x3x1xi1>, tensor<1x3x1xf32>
  %common = stablehlo.broadcast_in_dim %hidden, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<1x3x3xf32>
  %0 = stablehlo.add %s, %common : tensor<1x3x3xf32>
  %e0 = stablehlo.exponential %0 : tensor<1x3x3xf32>
  %sum0 = stablehlo.reduce(%e0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x3x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  %div0 = stablehlo.broadcast_in_dim %sum0, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x3xf32>
  %p0 = stablehlo.divide %e0, %div0 : tensor<1x3x3xf32>
  %y0 = stablehlo.dot_general %p0, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %shift = stablehlo.broadcast_in_dim %first, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<1x3x3xf32>
  %1 = stablehlo.add %s, %shift : tensor<1x3x3xf32>
  %e1 = stablehlo.exponential %1 : tensor<1x3x3xf32>
  %sum1 = stablehlo.reduce(%e1 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x3x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  %div1 = stablehlo.broadcast_in_dim %sum1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x3xf32>
  %p1 = stablehlo.divide %e1, %div1 : tensor<1x3x3xf32>
  %y1 = stablehlo.dot_general %p1, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x3xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %y0, %y1 : tensor<1x3x4xf32>, tensor<1x3x4xf32>
}
