// Mixtures of experts: moe, route, experts, limited_gate, and gradients.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @moe(
// CHECK: %0 = block.moe %arg0 router %arg1 up %arg2 down %arg3 {form = #block.experts<activation = silu>, routing = #block.routing<chosen = 2, score = softmax>}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>{{$}}
// CHECK-NEXT: %1 = block.moe %0 router %arg1 up %arg2 down %arg3 router_bias %arg4 correction %arg4 expert_scale %arg4 up_bias %arg5 down_bias %arg6 shared_up %arg7
// CHECK-NEXT: shared_gate %arg7 shared_down %arg8 shared_router %arg9 round_weights
// CHECK-NEXT: {form = #block.experts<activation = gelu_tanh>, routing = #block.routing<chosen = 1, score = sigmoid>, scale = 0.5}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<16x8xf32>{{$}}
// CHECK-NEXT: return %1 : tensor<2x5x8xf32>
func.func @moe(%arg0: tensor<2x5x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x12x8xf32>, %arg3: tensor<4x8x6xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4x12xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<16x8xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<1x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.moe %arg0 router %arg1 up %arg2 down %arg3 {form = #block.experts<activation = silu>, routing = #block.routing<chosen = 2, score = softmax>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  %1 = block.moe %0 router %arg1 up %arg2 down %arg3 router_bias %arg4 correction %arg4 expert_scale %arg4 up_bias %arg5 down_bias %arg6 shared_up %arg7 shared_gate %arg7 shared_down %arg8 shared_router %arg9 round_weights {form = #block.experts<activation = gelu_tanh>, routing = #block.routing<chosen = 1, score = sigmoid>, scale = 5.000000e-01 : f64} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x12xf32>, tensor<4x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<1x8xf32>) -> tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @route(
// CHECK-NEXT: %indices, %weights = block.route %arg0 {form = #block.routing<chosen = 2, score = logit, weight = softmax>} : (tensor<?x?x4xbf16>)
// CHECK-NEXT: -> (tensor<?x?x2xi64>, tensor<?x?x2xf32>)
// CHECK-NEXT: %indices_0, %weights_1 = block.route %arg0 correction %arg1 expert_scale %arg1
// CHECK-NEXT: {form = #block.routing<chosen = 2, score = sigmoid, groups = 2, group_score = best_two>} : (tensor<?x?x4xbf16>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: -> (tensor<?x?x2xi64>, tensor<?x?x2xbf16>)
func.func @route(%arg0: tensor<?x?x4xbf16>, %arg1: tensor<4xf32>) -> (tensor<?x?x2xi64>, tensor<?x?x2xf32>) {
  %0:2 = block.route %arg0 {form = #block.routing<chosen = 2, score = logit, weight = softmax>} : (tensor<?x?x4xbf16>) -> (tensor<?x?x2xi64>, tensor<?x?x2xf32>)
  %1:2 = block.route %arg0 correction %arg1 expert_scale %arg1 {form = #block.routing<chosen = 2, score = sigmoid, groups = 2, kept = 1, group_score = best_two>} : (tensor<?x?x4xbf16>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x?x2xi64>, tensor<?x?x2xbf16>)
  return %0#0, %0#1 : tensor<?x?x2xi64>, tensor<?x?x2xf32>
}

// CHECK-LABEL: func.func @experts(
// CHECK: %0 = block.experts %arg0 of %arg1 by %arg2 up %arg3 down %arg4 {form = #block.experts<activation = relu, layout = up>}
// CHECK-NEXT: : tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<4x6x8xf32>, tensor<4x8x6xf32>{{$}}
// CHECK-NEXT: %1 = block.experts %0 of %arg1 by %arg2 up %arg5 down %arg6 up_bias %arg7 down_bias %arg8
// CHECK-NEXT: {form = #block.experts<activation = quick_gelu, layout = interleaved, transposed = true, weigh = input, limit = 7.0, up_offset = 1.0>}
// CHECK-NEXT: : tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<4x8x12xf32>, tensor<4x6x8xf32>{{$}}
func.func @experts(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x2xi64>, %arg2: tensor<?x?x2xf32>, %arg3: tensor<4x6x8xf32>, %arg4: tensor<4x8x6xf32>, %arg5: tensor<4x8x12xf32>, %arg6: tensor<4x6x8xf32>, %arg7: tensor<4x12xf32>, %arg8: tensor<4x8xf32>) -> tensor<?x?x8xf32> {
  %0 = block.experts %arg0 of %arg1 by %arg2 up %arg3 down %arg4 {form = #block.experts<activation = relu, layout = up>} : (tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<?x?x2xf32>, tensor<4x6x8xf32>, tensor<4x8x6xf32>) -> tensor<?x?x8xf32>
  %1 = block.experts %0 of %arg1 by %arg2 up %arg5 down %arg6 up_bias %arg7 down_bias %arg8 {form = #block.experts<activation = quick_gelu, layout = interleaved, transposed = true, weigh = input, limit = 7.000000e+00, up_offset = 1.000000e+00>} : (tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<?x?x2xf32>, tensor<4x8x12xf32>, tensor<4x6x8xf32>, tensor<4x12xf32>, tensor<4x8xf32>) -> tensor<?x?x8xf32>
  return %1 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @limited_gate(
// CHECK-NEXT: %0 = block.limited_gate %arg0, %arg1 {kind = #block.activation<silu>, limit = 7.0} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %1 = block.limited_gate %0, %arg1 {kind = #block.activation<quick_gelu>, limit = 7.0, offset = 1.0} : tensor<2x5x8xf32>{{$}}
func.func @limited_gate(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.limited_gate %arg0, %arg1 {kind = #block.activation<silu>, limit = 7.000000e+00 : f64} : tensor<2x5x8xf32>
  %1 = block.limited_gate %0, %arg1 {kind = #block.activation<quick_gelu>, limit = 7.000000e+00 : f64, offset = 1.000000e+00 : f64} : tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @gradients(
// CHECK: %0 = block.route_grad %arg0 of %arg1 at %arg2 {form = #block.routing<chosen = 2, score = sigmoid>, wrt = ["logits"]}
// CHECK-NEXT: : tensor<?x?x2xf32>, tensor<?x?x4xbf16>, tensor<?x?x2xi64> -> tensor<?x?x4xbf16>
// CHECK-NEXT: %1:2 = block.route_grad %arg0 of %arg1 at %arg2 expert_scale %arg3
// CHECK-SAME: {form = #block.routing<chosen = 2, score = sigmoid>, wrt = ["logits", "expert_scale"]}
// CHECK-NEXT: : tensor<?x?x2xf32>, tensor<?x?x4xbf16>, tensor<?x?x2xi64> -> (tensor<?x?x4xbf16>, tensor<4xf32>)
// CHECK-NEXT: %2:3 = block.experts_grad %arg4 of %arg4 at %arg2 by %arg0 up %arg5 down %arg6
// CHECK-NEXT: {form = #block.experts<activation = silu>, wrt = ["input", "weights", "up_weight"]}
// CHECK-NEXT: : tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32> -> (tensor<?x?x8xf32>, tensor<?x?x2xf32>, tensor<4x12x8xf32>)
// CHECK-NEXT: %3:3 = block.experts_grad %arg4 of %arg4 at %arg2 by %arg0 up %arg5 down %arg6 up_bias %arg7 down_bias %arg8
func.func @gradients(%arg0: tensor<?x?x2xf32>, %arg1: tensor<?x?x4xbf16>, %arg2: tensor<?x?x2xi64>, %arg3: tensor<4xbf16>, %arg4: tensor<?x?x8xf32>, %arg5: tensor<4x12x8xf32>, %arg6: tensor<4x8x6xf32>, %arg7: tensor<4x12xf32>, %arg8: tensor<4x8xf32>) {
  %0 = block.route_grad %arg0 of %arg1 at %arg2 {wrt = ["logits"], form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<?x?x2xf32>, tensor<?x?x4xbf16>, tensor<?x?x2xi64>) -> tensor<?x?x4xbf16>
  %1:2 = block.route_grad %arg0 of %arg1 at %arg2 expert_scale %arg3 {wrt = ["logits", "expert_scale"], form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<?x?x2xf32>, tensor<?x?x4xbf16>, tensor<?x?x2xi64>, tensor<4xbf16>) -> (tensor<?x?x4xbf16>, tensor<4xf32>)
  %2:3 = block.experts_grad %arg4 of %arg4 at %arg2 by %arg0 up %arg5 down %arg6 {wrt = ["input", "weights", "up_weight"], form = #block.experts<activation = silu>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<?x?x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x2xf32>, tensor<4x12x8xf32>)
  %3:3 = block.experts_grad %arg4 of %arg4 at %arg2 by %arg0 up %arg5 down %arg6 up_bias %arg7 down_bias %arg8 {wrt = ["down_weight", "up_bias", "down_bias"], form = #block.experts<activation = silu>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x2xi64>, tensor<?x?x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<4x12xf32>, tensor<4x8xf32>) -> (tensor<4x8x6xf32>, tensor<4x12xf32>, tensor<4x8xf32>)
  return
}
