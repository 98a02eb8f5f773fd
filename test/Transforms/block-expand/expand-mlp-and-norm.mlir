// MLPs and norms in every form.
// RUN: block-opt %s --block-expand --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: %arg4: tensor<8xf16>) -> tensor<?x?x8xf32> {
// CHECK-NEXT: %[[UP:.*]] = block.linear %arg0, %arg1 bias %arg2 : tensor<?x?x8xf16> -> tensor<?x?x16xf16>
// CHECK-NEXT: %[[ACT:.*]] = block.activation %[[UP]] {kind = #block.activation<relu_squared>} : tensor<?x?x16xf16>
// CHECK-NEXT: block.linear %[[ACT]], %arg3 bias %arg4 : tensor<?x?x16xf16> -> tensor<?x?x8xf32>
func.func @plain(%x: tensor<?x?x8xf16>, %up: tensor<16x8xf16>, %upb: tensor<16xf16>, %down: tensor<8x16xf16>, %downb: tensor<8xf16>) -> tensor<?x?x8xf32> {
  %y = block.mlp %x up %up down %down up_bias %upb down_bias %downb {activation = #block.activation<relu_squared>}
      : (tensor<?x?x8xf16>, tensor<16x8xf16>, tensor<8x16xf16>, tensor<16xf16>, tensor<8xf16>) -> tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}

// -----

// The gate is the side with the activation, and has its own bias.
// CHECK-LABEL: func.func @gated(
// CHECK: %arg5: tensor<8x16xf32>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %[[UP:.*]] = block.linear %arg0, %arg1 bias %arg2 :
// CHECK-NEXT: %[[GATE:.*]] = block.linear %arg0, %arg3 bias %arg4 :
// CHECK-NEXT: %[[H:.*]] = block.gate %[[GATE]], %[[UP]] {kind = #block.activation<gelu_tanh>} : tensor<2x5x16xf32>
// CHECK-NEXT: block.linear %[[H]], %arg5 :
func.func @gated(%x: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %upb: tensor<16xf32>, %gate: tensor<16x8xf32>, %gateb: tensor<16xf32>, %down: tensor<8x16xf32>) -> tensor<2x5x8xf32> {
  %y = block.mlp %x up %up gate %gate down %down up_bias %upb gate_bias %gateb {activation = #block.activation<gelu_tanh>}
      : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// -----

// Statistics are f32; the type of the result is that of the norm.
// CHECK-LABEL: func.func @layer_norm(
// CHECK-NEXT: %[[S:.*]]:2 = block.norm_stats %arg0 centered : tensor<?x5x8xf32>{{$}}
// CHECK-NEXT: block.normalize %arg0 mean %[[S]]#0 moment %[[S]]#1 gamma %arg1 beta %arg2
// CHECK-NEXT: {form = #block.norm<kind = layer, eps = 1.0e-05, gamma_form = one_plus, rounding = before_gain>}
// CHECK-SAME: -> tensor<?x5x8xbf16>
func.func @layer_norm(%x: tensor<?x5x8xf32>, %gain: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<?x5x8xbf16> {
  %y = block.norm %x gamma %gain beta %bias
      {form = #block.norm<kind = layer, eps = 1.0e-5, gamma_form = one_plus, rounding = before_gain>}
      : (tensor<?x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x5x8xbf16>
  return %y : tensor<?x5x8xbf16>
}

// -----

// An L2 norm has the mean of squares like any other; its form says the rest.
// CHECK-LABEL: func.func @l2_norm_by_head(
// CHECK-NEXT: %[[S:.*]] = block.norm_stats %arg0 {groups = 2} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: block.normalize %arg0 moment %[[S]] {form = #block.norm<kind = l2, eps = 0.001, eps_form = clamp>, groups = 2}
func.func @l2_norm_by_head(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.norm %x {form = #block.norm<kind = l2, eps = 1.0e-3, eps_form = clamp>, groups = 2 : i64}
      : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
