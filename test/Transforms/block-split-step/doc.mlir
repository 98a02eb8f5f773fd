// Forward gives what backward reads of it, under the names that backward takes it by.
// RUN: block-opt %s --block-differentiate="wrt=params loss=sum" --block-split-step | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-LABEL: func.func @main_step(
// CHECK-LABEL: func.func @main_forward(
// CHECK: %arg0: tensor<1x4x8xf32> {block.input = "x"},
// CHECK: %arg1: tensor<8x8xf32> {block.param = "h.0.up.weight"})
// CHECK: -> (tensor<1x4x8xf32> {block.output = "y"},
// CHECK: tensor<1x4x8xf32> {block.saved = "h.0.linear"}) {
// CHECK-NEXT: %[[F:.*]]:2 = block.layer "h.0" at 0
// CHECK: %[[UP:.*]] = block.linear %arg0, %arg1
// CHECK: block.yield %{{.*}}, %[[UP]] :
// CHECK-NEXT: }
// CHECK-NEXT: return %[[F]]#0, %[[F]]#1 :
// CHECK-LABEL: func.func @main_backward(
// CHECK: %arg0: tensor<1x4x8xf32> {block.input = "x"},
// CHECK: %arg1: tensor<1x4x8xf32> {block.input = "grad.y"},
// CHECK: %arg2: tensor<1x4x8xf32> {block.input = "h.0.linear"})
// CHECK: -> (tensor<8x8xf32> {block.grad = "h.0.up.weight"}) {
// CHECK-NEXT: %[[B:.*]] = block.layer "h.0" at 0 backward
// CHECK-NEXT: %[[DUP:.*]] = block.activation_grad %arg1 of %arg2
// CHECK-NEXT: %[[DW:.*]] = block.weight_grad(%[[DUP]]) of(%arg0)
// CHECK: return %[[B]] :
func.func @main(%x: tensor<1x4x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "h.0.up.weight"})
    -> (tensor<1x4x8xf32> {block.output = "y"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
    %up = block.linear %x, %w : tensor<1x4x8xf32>
    %act = block.activation %up {kind = #block.activation<silu>} : tensor<1x4x8xf32>
    %sum = block.residual %x, %act : tensor<1x4x8xf32>
    block.yield %sum : tensor<1x4x8xf32>
  }
  return %y : tensor<1x4x8xf32>
}
