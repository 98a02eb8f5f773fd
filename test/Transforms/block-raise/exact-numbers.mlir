// With exact-numbers an epsilon has the digits of f64, behind a cast that nothing folds; what no block keeps is refused.
// RUN: block-opt %s --split-input-file --block-raise="exact-numbers=true" --verify-diagnostics | FileCheck %s
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s --check-prefix=SHORT

// CHECK: block.norm %arg0 {form = #block.norm<kind = rms, eps = 1.2345678901234{{[0-9]*}}e-05>}
// SHORT: block.norm %arg0 {form = #block.norm<kind = rms, eps = 1.2345679e-05>}
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %eps = "tosa.const"() <{values = dense<1.2345678901234e-5> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
  %narrow = tosa.cast %eps : (tensor<1x1x1xf64>) -> tensor<1x1x1xf32>
  %eighth = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %square = tosa.mul %x, %x, %none : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<1xi8>) -> tensor<2x3x8xf32>
  %sum = tosa.reduce_sum %square {axis = 2 : i32} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %mean = tosa.mul %sum, %eighth, %none : (tensor<2x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x1xf32>
  %moment = tosa.add %mean, %narrow : (tensor<2x3x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x1xf32>
  %root = tosa.rsqrt %moment : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %y = tosa.mul %x, %root, %none : (tensor<2x3x8xf32>, tensor<2x3x1xf32>, tensor<1xi8>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x3x8xf32> {
  // expected-error @below {{has numbers of more digits than f32, and is no part of a block that could keep them}}
  %c = "tosa.const"() <{values = dense<0.1> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
  %narrow = tosa.cast %c : (tensor<1x1x1xf64>) -> tensor<1x1x1xf32>
  %y = tosa.floor %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %z = tosa.add %y, %narrow : (tensor<2x3x8xf32>, tensor<1x1x1xf32>) -> tensor<2x3x8xf32>
  return %z : tensor<2x3x8xf32>
}
