// A mixture of experts becomes a router's projection and choice, the experts, and the MLP that they share.
// RUN: block-opt %s --unbroken-lines --block-expand | FileCheck %s
// RUN: block-opt %s --block-expand -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=1 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-run %t.mlir --engine=cpu --seed=1 --baseline=%s | FileCheck %s --check-prefix=SAME
// SAME: PASS y
// SAME: PASS z

// CHECK-LABEL: func.func @main(
// CHECK: %[[L:.*]] = block.linear %arg0, %arg1 bias %arg2 : tensor<2x5x8xf32> -> tensor<2x5x4xf32>
// CHECK-NEXT: %[[I:.*]], %[[W:.*]] = block.route %[[L]] correction %arg3 expert_scale %arg4 {form = #block.routing<chosen = 2, score = softmax>}
// CHECK-SAME: : (tensor<2x5x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
// CHECK-NEXT: %[[Y:.*]] = block.experts %arg0 of %[[I]] by %[[W]] up %arg5 down %arg6 up_bias %arg7 down_bias %arg8
// CHECK-SAME: {form = #block.experts<activation = silu>}

// The router of f32 reads a converted input, its weights are rounded, and a gate opens what is shared.
// CHECK: %[[F:.*]] = arith.extf %arg9 : tensor<2x5x8xbf16> to tensor<2x5x8xf32>
// CHECK-NEXT: %[[L2:.*]] = block.linear %[[F]], %arg1 : tensor<2x5x8xf32> -> tensor<2x5x4xf32>
// CHECK-NEXT: %[[I2:.*]], %[[W2:.*]] = block.route %[[L2]] {form = #block.routing<chosen = 1, score = sigmoid>}
// CHECK-SAME: -> (tensor<2x5x1xi64>, tensor<2x5x1xbf16>)
// CHECK: %[[R:.*]] = block.experts %arg9 of %[[I2]] by %[[W2]] up %arg10 down %arg11
// CHECK: %[[U:.*]] = block.linear %arg9, %arg12
// CHECK-NEXT: %[[G:.*]] = block.linear %arg9, %arg12
// CHECK-NEXT: %[[H:.*]] = block.gate %[[G]], %[[U]] {kind = #block.activation<silu>}
// CHECK-NEXT: %[[D:.*]] = block.linear %[[H]], %arg13
// CHECK-NEXT: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<8x1xbf16>
// CHECK-NEXT: %[[O:.*]] = block.linear %arg9, %arg14 : tensor<2x5x8xbf16> -> tensor<2x5x1xbf16>
// CHECK-NEXT: %[[B:.*]] = block.linear %[[O]], %[[ONES]]
// CHECK-NEXT: %[[S:.*]] = block.gate %[[B]], %[[D]] {kind = #block.activation<sigmoid>}
// CHECK-NEXT: block.residual %[[R]], %[[S]] {branch_scales = [0.5], input_scale = 0.5}
func.func @main(%arg0: tensor<2x5x8xf32> {block.input = "x"}, %arg1: tensor<4x8xf32> {block.param = "r"}, %arg2: tensor<4xf32> {block.param = "rb"}, %arg3: tensor<4xf32> {block.param = "c"}, %arg4: tensor<4xf32> {block.param = "s"}, %arg5: tensor<4x12x8xf32> {block.param = "u"}, %arg6: tensor<4x8x6xf32> {block.param = "d"}, %arg7: tensor<4x12xf32> {block.param = "ub"}, %arg8: tensor<4x8xf32> {block.param = "db"}, %arg9: tensor<2x5x8xbf16> {block.input = "x2"}, %arg10: tensor<4x12x8xbf16> {block.param = "u2"}, %arg11: tensor<4x8x6xbf16> {block.param = "d2"}, %arg12: tensor<16x8xbf16> {block.param = "su"}, %arg13: tensor<8x16xbf16> {block.param = "sd"}, %arg14: tensor<1x8xbf16> {block.param = "sr"}) -> (tensor<2x5x8xf32> {block.output = "y"}, tensor<2x5x8xbf16> {block.output = "z"}) {
  %y = block.moe %arg0 router %arg1 up %arg5 down %arg6 router_bias %arg2 correction %arg3 expert_scale %arg4 up_bias %arg7 down_bias %arg8 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x12xf32>, tensor<4x8xf32>) -> tensor<2x5x8xf32>
  %z = block.moe %arg9 router %arg1 up %arg10 down %arg11 shared_up %arg12 shared_gate %arg12 shared_down %arg13 shared_router %arg14 round_weights {routing = #block.routing<chosen = 1, score = sigmoid>, form = #block.experts<activation = silu>, scale = 0.5 : f64} : (tensor<2x5x8xbf16>, tensor<4x8xf32>, tensor<4x12x8xbf16>, tensor<4x8x6xbf16>, tensor<16x8xbf16>, tensor<16x8xbf16>, tensor<8x16xbf16>, tensor<1x8xbf16>) -> tensor<2x5x8xbf16>
  return %y, %z : tensor<2x5x8xf32>, tensor<2x5x8xbf16>
}
