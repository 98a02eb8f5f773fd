// What is made of weights alone is done again in backward, names are unique, and a saved value that is a result is
// that result: unless an argument has the result's name.
// RUN: block-opt %s --block-split-step --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main_forward(
// CHECK: %arg0: tensor<1x4x8xf32> {block.input = "activation"},
// CHECK: %arg1: tensor<8x8xf32> {block.param = "w"})
// CHECK: -> (tensor<1x4x8xf32> {block.output = "y", block.saved = "y"},
// CHECK: tensor<1x4x8xf32> {block.saved = "activation.1"}) {
// CHECK: linalg.transpose
// CHECK-LABEL: func.func @main_backward(
// CHECK: %arg0: tensor<8x8xf32> {block.param = "w"},
// CHECK: %arg1: tensor<1x4x8xf32> {block.input = "g"},
// CHECK: %arg2: tensor<1x4x8xf32> {block.input = "activation.1"},
// CHECK: %arg3: tensor<1x4x8xf32> {block.input = "y"})
// CHECK-NOT: block.output
// CHECK: %[[W:.*]] = linalg.transpose ins(%arg0
// CHECK-NEXT: %[[DY:.*]] = block.activation_grad %arg1 of %arg3
// CHECK-NEXT: %[[DW:.*]] = block.weight_grad(%[[DY]]) of(%arg2)
// CHECK-NEXT: %[[DX:.*]] = block.linear %[[DY]], %[[W]]
// CHECK-NEXT: return %[[DW]], %[[DX]] :
func.func @main_step(%x: tensor<1x4x8xf32> {block.input = "activation"}, %w: tensor<8x8xf32> {block.param = "w"},
                     %g: tensor<1x4x8xf32> {block.input = "g"})
    -> (tensor<1x4x8xf32> {block.output = "y"}, tensor<8x8xf32> {block.grad = "w"}, tensor<1x4x8xf32> {block.grad = "activation"}) {
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %a = block.activation %x {kind = #block.activation<silu>} : tensor<1x4x8xf32>
  %y = block.linear %a, %t : tensor<1x4x8xf32>
  %dy = block.activation_grad %g of %y {kind = #block.activation<silu>} : tensor<1x4x8xf32>
  %dw = block.weight_grad(%dy) of(%a) : tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %dx = block.linear %dy, %t : tensor<1x4x8xf32>
  return %y, %dw, %dx : tensor<1x4x8xf32>, tensor<8x8xf32>, tensor<1x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @main_forward(
// CHECK: {block.output = "y"},
// CHECK: {block.saved = "linear"})
// CHECK-LABEL: func.func @main_backward(
// CHECK: {block.input = "linear"})
func.func @main_step(%x: tensor<1x4x8xf32> {block.input = "y"}, %w: tensor<8x8xf32> {block.param = "w"},
                     %g: tensor<1x4x8xf32> {block.input = "g"})
    -> (tensor<1x4x8xf32> {block.output = "y"}, tensor<8x8xf32> {block.grad = "w"}) {
  %y = block.linear %x, %w : tensor<1x4x8xf32>
  %dy = block.activation_grad %g of %y {kind = #block.activation<silu>} : tensor<1x4x8xf32>
  %dw = block.weight_grad(%dy) of(%x) : tensor<1x4x8xf32>, tensor<1x4x8xf32>
  return %y, %dw : tensor<1x4x8xf32>, tensor<8x8xf32>
}
