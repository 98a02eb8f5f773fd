// Other dialects have no op for a choice among experts: front ends leave block.route and block.experts in what they
// import. A route of a projection of the same rows is one mixture, in a layer; experts that another router chooses, or
// whose weights something else changes, stay steps.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=mixture --seed=1 --baseline=%s
// RUN: block-run %t.mlir --engine=reference --function=other_router --seed=1 --baseline=%s

// CHECK-LABEL: func.func @mixture(
// CHECK-NEXT: block.param
// CHECK: block.layer "h.3" at 0
// CHECK-NEXT: %[[MOE:.*]] = block.moe %arg0 router %arg1 up %arg2 down %arg3 router_bias %arg4 correction %arg4 expert_scale %arg4 up_bias %arg5
// CHECK-NEXT: {form = #block.experts<activation = silu, layout = interleaved, limit = 7.0>,
// CHECK-NEXT: routing = #block.routing<chosen = 2, score = sigmoid, divide_by = added>}
// CHECK: block.residual %arg0, %[[MOE]] : tensor<2x5x8xf32>
func.func @mixture(%x: tensor<2x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "h.3.r"}, %u: tensor<4x12x8xf32> {block.param = "h.3.u"}, %d: tensor<4x8x6xf32> {block.param = "h.3.d"}, %e: tensor<4xf32> {block.param = "h.3.e"}, %b: tensor<4x12xf32> {block.param = "h.3.b"}) -> (tensor<2x5x8xf32> {block.output = "y"}) {
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x5x8xf32> into tensor<10x8xf32>
  %rows = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, 10, 8] : tensor<10x8xf32> into tensor<1x10x8xf32>
  %t0 = tensor.empty() : tensor<8x4xf32>
  %rt = linalg.transpose ins(%r : tensor<4x8xf32>) outs(%t0 : tensor<8x4xf32>) permutation = [1, 0]
  %t1 = tensor.empty() : tensor<10x4xf32>
  %init = linalg.broadcast ins(%e : tensor<4xf32>) outs(%t1 : tensor<10x4xf32>) dimensions = [0]
  %l = linalg.matmul ins(%flat, %rt : tensor<10x8xf32>, tensor<8x4xf32>) outs(%init : tensor<10x4xf32>) -> tensor<10x4xf32>
  %logits = tensor.expand_shape %l [[0, 1], [2]] output_shape [1, 10, 4] : tensor<10x4xf32> into tensor<1x10x4xf32>
  %i, %w = block.route %logits correction %e expert_scale %e {form = #block.routing<chosen = 2, score = sigmoid, divide_by = added>} : (tensor<1x10x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x10x2xi64>, tensor<1x10x2xf32>)
  %y = block.experts %rows of %i by %w up %u down %d up_bias %b {form = #block.experts<activation = silu, layout = interleaved, limit = 7.0>} : (tensor<1x10x8xf32>, tensor<1x10x2xi64>, tensor<1x10x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<4x12xf32>) -> tensor<1x10x8xf32>
  %back = tensor.collapse_shape %y [[0, 1], [2]] : tensor<1x10x8xf32> into tensor<10x8xf32>
  %out = tensor.expand_shape %back [[0, 1], [2]] output_shape [2, 5, 8] : tensor<10x8xf32> into tensor<2x5x8xf32>
  %sum = arith.addf %x, %out : tensor<2x5x8xf32>
  return %sum : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @other_router(
// CHECK: block.layer
// CHECK: %[[CHOICE:.*]], %[[WEIGHTS:.*]] = block.route %arg4 {form = #block.routing<chosen = 2, score = softmax>}
// CHECK: block.experts %arg0 of %[[CHOICE]] by %[[WEIGHTS]] up %arg2 down %arg3
// CHECK: block.residual
func.func @other_router(%x: tensor<2x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "r"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}, %logits: tensor<2x5x4xf32> {block.input = "logits"}) -> (tensor<2x5x8xf32> {block.output = "y"}) {
  %i, %w = block.route %logits {form = #block.routing<chosen = 2, score = softmax>} : (tensor<2x5x4xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  %sum = arith.addf %x, %y : tensor<2x5x8xf32>
  return %sum : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @changed_weights(
// CHECK: %[[CHOICE:.*]], %[[WEIGHTS:.*]] = block.route
// CHECK: block.experts %arg0 of %{{.*}} by %{{.*}} up %arg2 down %arg3
// CHECK-NOT: block.moe
func.func @changed_weights(%x: tensor<2x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "r"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}, %logits: tensor<2x5x4xf32> {block.input = "logits"}) -> (tensor<2x5x8xf32> {block.output = "y"}) {
  %i, %w = block.route %logits {form = #block.routing<chosen = 2, score = softmax>} : (tensor<2x5x4xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
  %squared = arith.mulf %w, %w : tensor<2x5x2xf32>
  %y = block.experts %x of %i by %squared up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  %sum = arith.addf %x, %y : tensor<2x5x8xf32>
  return %sum : tensor<2x5x8xf32>
}
