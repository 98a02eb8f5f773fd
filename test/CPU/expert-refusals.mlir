// What has no code for experts, and numbers that are none of experts, are errors that say so.
// RUN: split-file %s %t
// RUN: not block-run %t/mixed.mlir --engine=cpu --seed=1 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: no CPU code for 'block.experts' with rows of 'f32' and weights of type 'tensor<4x12x8xbf16>': expected one element type
// RUN: not block-run %t/index.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: 'block.experts' op expected indices to be in [0, 4), or larger with a weight of 0, got 5 in slot 1 of row 0
// RUN: not block-run %t/nan.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: 'block.route' op expected logits without NaN, got one for expert 2 in row 0
// RUN: not block-run %t/infinite.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=INFINITE
// INFINITE: error: 'block.route' op expected scores without NaN, got one in row 0, of an infinite logit or correction

// The CPU engine computes on, and gives NaN where these numbers enter.
// RUN: block-run %t/index.mlir --engine=cpu | FileCheck %s --check-prefix=RESULT
// RUN: block-run %t/nan.mlir --engine=cpu | FileCheck %s --check-prefix=RESULT
// RESULT: y f32 [1, 1, [[N:[0-9]+]]]  NaN or infinite [[N]]

// RUN: not block-opt %t/gradient.mlir --block-differentiate="wrt=params loss=sum" 2>&1 | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: error: 'block.experts' op has no gradient
// RUN: not block-opt %t/gradient.mlir --block-optimize=chip=sm_90a --block-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: no GPU code for 'block.{{route|experts}}' outside a kernel
// RUN: not block-opt %t/gradient.mlir --block-expand --convert-block-to-linalg 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: 'block.route' op has no form in upstream ops

//--- mixed.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %i: tensor<1x5x1xi64> {block.input = "i"}, %w: tensor<1x5x1xf32> {block.input = "w"}, %u: tensor<4x12x8xbf16> {block.param = "u"}, %d: tensor<4x8x6xbf16> {block.param = "d"}) -> tensor<1x5x8xf32> {
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x1xi64>, tensor<4x12x8xbf16>, tensor<4x8x6xbf16>
  return %y : tensor<1x5x8xf32>
}
//--- index.mlir
func.func @main() -> (tensor<1x1x8xf32> {block.output = "y"}) {
  %x = arith.constant dense<1.0> : tensor<1x1x8xf32>
  %i = arith.constant dense<[[[3, 5]]]> : tensor<1x1x2xi64>
  %w = arith.constant dense<0.5> : tensor<1x1x2xf32>
  %u = arith.constant dense<0.25> : tensor<4x12x8xf32>
  %d = arith.constant dense<0.25> : tensor<4x8x6xf32>
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x1x8xf32>, tensor<1x1x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %y : tensor<1x1x8xf32>
}
//--- nan.mlir
func.func @main() -> (tensor<1x1x2xf32> {block.output = "y"}) {
  %l = arith.constant dense<[[[1.0, 2.0, 0x7FC00000, 0.5]]]> : tensor<1x1x4xf32>
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<1x1x4xf32>) -> (tensor<1x1x2xi64>, tensor<1x1x2xf32>)
  return %w : tensor<1x1x2xf32>
}
//--- infinite.mlir
func.func @main() -> (tensor<1x1x2xf32> {block.output = "y"}) {
  %l = arith.constant dense<[[[1.0, 2.0, 0x7F800000, 0.5]]]> : tensor<1x1x4xf32>
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x1x4xf32>) -> (tensor<1x1x2xi64>, tensor<1x1x2xf32>)
  return %w : tensor<1x1x2xf32>
}
//--- gradient.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "r"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %y : tensor<1x5x8xf32>
}
