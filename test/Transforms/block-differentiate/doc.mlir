// A projection, an activation and a residual, forward and backward: what the backward layer
// reads of the forward one is a result of it.
// RUN: block-opt %s --block-differentiate="wrt=params loss=sum" | FileCheck %s
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=1 --check-gradients | FileCheck %s --check-prefix=PASS

// CHECK-LABEL: func.func @main(
// CHECK-LABEL: func.func @main_step(
// CHECK: %arg0: tensor<1x4x8xf32> {block.input = "x"},
// CHECK: %arg1: tensor<8x8xf32> {block.param = "h.0.up.weight"},
// CHECK: %arg2: tensor<1x4x8xf32> {block.input = "grad.y"})
// CHECK: tensor<1x4x8xf32> {block.output = "y"},
// CHECK: tensor<8x8xf32> {block.grad = "h.0.up.weight"}) {
// CHECK-NEXT: %[[F:.*]]:2 = block.layer "h.0" at 0
// CHECK: %[[UP:.*]] = block.linear %arg0, %arg1
// CHECK-NEXT: %[[ACT:.*]] = block.activation %[[UP]]
// CHECK-NEXT: %[[SUM:.*]] = block.residual %arg0, %[[ACT]]
// CHECK-NEXT: block.yield %[[SUM]], %[[UP]] :
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = block.layer "h.0" at 0 backward
// CHECK-NEXT: %[[DUP:.*]] = block.activation_grad %arg2 of %[[F]]#1 {kind = #block.activation<silu>}
// CHECK-NEXT: %[[DW:.*]] = block.weight_grad(%[[DUP]]) of(%arg0)
// CHECK-NEXT: block.yield %[[DW]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[F]]#0, %[[B]] :

// PASS: PASS x
// PASS: PASS h.0.up.weight
// PASS-NOT: FAIL
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
