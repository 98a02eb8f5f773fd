// Queries, one key head and an MLP's up projection, of which only the last has a bias,
// for the documentation of the pass.
// RUN: block-opt %s --block-fuse-input-projections | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg4: tensor<16xf32> {block.param = "up.bias"}) -> (tensor<1x5x8xf32>, tensor<1x5x4xf32>, tensor<1x5x16xf32>) {
// CHECK-NEXT: %[[CONCAT0:.*]] = tensor.concat dim(0) %arg1, %arg2, %arg3 : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<28x8xf32>
// CHECK-NEXT: %[[CONSTANT0:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %[[CONSTANT1:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[CONCAT1:.*]] = tensor.concat dim(0) %[[CONSTANT0]], %[[CONSTANT1]], %arg4 : (tensor<8xf32>, tensor<4xf32>, tensor<16xf32>) -> tensor<28xf32>
// CHECK-NEXT: %[[Y:.*]] = block.linear %arg0, %[[CONCAT0]] bias %[[CONCAT1]] : tensor<1x5x8xf32> -> tensor<1x5x28xf32>
// CHECK-NEXT: %[[SPLIT:.*]]:3 = block.split %[[Y]] : tensor<1x5x28xf32> -> (tensor<1x5x8xf32>, tensor<1x5x4xf32>, tensor<1x5x16xf32>)
// CHECK-NEXT: return %[[SPLIT]]#0, %[[SPLIT]]#1, %[[SPLIT]]#2 : tensor<1x5x8xf32>, tensor<1x5x4xf32>, tensor<1x5x16xf32>
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %q: tensor<8x8xf32> {block.param = "q.weight"},
    %k: tensor<4x8xf32> {block.param = "k.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %up_bias: tensor<16xf32> {block.param = "up.bias"}) -> (tensor<1x5x8xf32>, tensor<1x5x4xf32>, tensor<1x5x16xf32>) {
  %a = block.linear %x, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %b = block.linear %x, %k : (tensor<1x5x8xf32>, tensor<4x8xf32>) -> tensor<1x5x4xf32>
  %c = block.linear %x, %up bias %up_bias : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<1x5x16xf32>
  return %a, %b, %c : tensor<1x5x8xf32>, tensor<1x5x4xf32>, tensor<1x5x16xf32>
}
