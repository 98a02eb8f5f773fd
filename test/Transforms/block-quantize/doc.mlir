// Codes and scales in place of a weight, for the documentation of the pass.
// RUN: block-opt --unbroken-lines %s --block-quantize="form=int4-g32" | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<1x5x8xf32> {block.input = "hidden_states"}, %arg1: tensor<16x4xi8> {block.param = "up.weight.codes"}, %arg2: tensor<16x1xf32> {block.param = "up.weight.scales"}, %arg3: tensor<8x8xi8> {block.param = "down.weight.codes"}, %arg4: tensor<8x1xf32> {block.param = "down.weight.scales"})
// CHECK: block.layer "h.0" at 0
// CHECK-SAME: approx = #block.approx<pass = "block-quantize", parameters = "form=int4-g32", measured = "unmeasured">
// CHECK: %[[UP:.*]] = block.unpack_weight %arg1, %arg2 {form = #block.code_form<int4>, group = 32}
// CHECK: %[[DOWN:.*]] = block.unpack_weight %arg3, %arg4 {form = #block.code_form<int4>, group = 32}
// CHECK: block.mlp %arg0 up %[[UP]] down %[[DOWN]]
// CHECK-LABEL: func.func @prepack(
// CHECK-SAME: block.param = "up.weight"
// CHECK-SAME: block.output = "up.weight.codes"
// CHECK: arith.fptosi
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %up: tensor<16x8xf32> {block.param = "up.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %m = block.mlp %x up %up down %down {activation = #block.activation<silu>}
        : (tensor<1x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x5x8xf32>
    %z = block.residual %x, %m : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
