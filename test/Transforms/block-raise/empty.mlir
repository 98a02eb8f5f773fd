// A parameter without elements that nobody reads is no matter; where one is read, nothing is recognised.
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s

// CHECK-LABEL: @unread
// CHECK: block.activation {{.*}}silu
func.func @unread(%x: tensor<2x3x8xf32> {block.input = "x"}, %none: tensor<1x0x8xf32> {block.param = "none"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %0 = tosa.sigmoid %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %1 = tosa.mul %x, %0, %shift : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<1xi8>) -> tensor<2x3x8xf32>
  return %1 : tensor<2x3x8xf32>
}

// -----

// CHECK-LABEL: @read
// CHECK: tosa.sigmoid
// CHECK-NOT: block.activation
func.func @read(%x: tensor<2x3x8xf32> {block.input = "x"}, %none: tensor<2x0x8xf32> {block.param = "none"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %0 = tensor.concat dim(1) %x, %none : (tensor<2x3x8xf32>, tensor<2x0x8xf32>) -> tensor<2x3x8xf32>
  %1 = tosa.sigmoid %0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %2 = tosa.mul %0, %1, %shift : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<1xi8>) -> tensor<2x3x8xf32>
  return %2 : tensor<2x3x8xf32>
}
