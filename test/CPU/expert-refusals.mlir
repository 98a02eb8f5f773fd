// What has no code for experts, and numbers that are none of experts, are errors that say so.
// DAYS: 3, day 3
// RUN: split-file %s %t
// RUN: not block-run %t/mixed.mlir --engine=cpu --seed=1 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: no CPU code for 'block.experts' with rows of 'f32' and weights of type 'tensor<4x12x8xbf16>': expected one element type
// RUN: not block-run %t/index.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: 'block.experts' op expected indices to be in [0, 4), or larger with a weight of 0, got 5 in slot 1 of row 0
// RUN: not block-run %t/nan.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: 'block.route' op expected logits without NaN, got one for expert 2 in row 0
// RUN: not block-run %t/infinite.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=INFINITE
// INFINITE: error: 'block.route' op expected scores without NaN, got one in row 0, of an infinite logit or correction

// RUN: not block-run %t/index.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-INDEX
// CPU-INDEX: error: 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got 5 in slot 1 of row 0
// RUN: not block-run %t/nan.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-NAN
// CPU-NAN: error: 'block.route' expected logits without NaN, got one for expert 2 in row 0
// RUN: not block-run %t/infinite.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-INFINITE
// CPU-INFINITE: error: 'block.route' expected scores without NaN, got one in row 0, of an infinite logit or correction

// A later row, of inputs. An index below 0 has no expert, whatever its weight is.
// RUN: not block-run %t/rows.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-ROWS
// RUN: not block-run %t/rows.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=ROWS
// CPU-ROWS: error: 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got -1 in slot 0 of row 2
// ROWS: error: 'block.experts' op expected indices to be in [0, 4), or larger with a weight of 0, got -1 in slot 0 of row 2

// Kernels of GPUs report the same.
// DEFINE: %{emulate} = not block-run --engine=emulate --chip
// RUN: %{emulate}=sm_80 %t/index.mlir 2>&1 | FileCheck %s --check-prefix=GPU-INDEX
// RUN: %{emulate}=sm_90a %t/index.mlir 2>&1 | FileCheck %s --check-prefix=GPU-INDEX
// GPU-INDEX: error: kernel 'experts_0_sum': 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got 5 in slot 1 of row 0
// RUN: %{emulate}=sm_90a %t/nan.mlir 2>&1 | FileCheck %s --check-prefix=GPU-NAN
// RUN: %{emulate}=sm_80 %t/nan.mlir 2>&1 | FileCheck %s --check-prefix=GPU-NAN
// GPU-NAN: error: kernel 'route_0': 'block.route' expected logits without NaN, got one for expert 2 in row 0
// RUN: %{emulate}=sm_80 %t/infinite.mlir 2>&1 | FileCheck %s --check-prefix=GPU-INFINITE
// RUN: %{emulate}=sm_90a %t/infinite.mlir 2>&1 | FileCheck %s --check-prefix=GPU-INFINITE
// GPU-INFINITE: error: kernel 'route_0': 'block.route' expected scores without NaN, got one in row 0, of an infinite logit or correction
// RUN: %{emulate}=sm_90a %t/rows.mlir 2>&1 | FileCheck %s --check-prefix=GPU-ROWS
// RUN: %{emulate}=sm_80 %t/rows.mlir 2>&1 | FileCheck %s --check-prefix=GPU-ROWS
// GPU-ROWS: error: kernel 'experts_0_sum': 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got -1 in slot 0 of row 2

// Of several wrong rows the first is reported, with its layer; an index of more than 32 bits, by the nearest number.
// RUN: %{emulate}=sm_90a %t/layers.mlir 2>&1 | FileCheck %s --check-prefix=GPU-LAYERS
// GPU-LAYERS: error: kernel 'experts_0_sum' of layer 1: 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got at most -2147483648 in slot 1 of row 1
// RUN: not block-run %t/layers.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-LAYERS
// CPU-LAYERS: error: 'block.experts' expected indices to be in [0, 4), or larger with a weight of 0, got -4294967296 in slot 1 of row 1

// Gradients check indices, too.
// RUN: not block-run %t/grads.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=GRADS
// RUN: not block-run %t/grads.mlir --engine=cpu 2>&1 | FileCheck %s --check-prefix=CPU-GRADS
// GRADS: error: 'block.route_grad' op expected indices to be in [0, 4), got 4 in slot 1 of row 1
// CPU-GRADS: error: 'block.route_grad' expected indices to be in [0, 4), got 4 in slot 1 of row 1
// RUN: not block-run %t/narrow.mlir --engine=cpu --seed=1 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: no CPU code for 'block.experts_grad' with a gradient by up_weight of type 'tensor<4x12x8xbf16>': expected f32

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
//--- rows.mlir
func.func @main() -> (tensor<1x3x8xf32> {block.output = "y"}) {
  %x = arith.constant dense<1.0> : tensor<1x3x8xf32>
  %i = arith.constant dense<[[[3], [0], [-1]]]> : tensor<1x3x1xi64>
  %w = arith.constant dense<[[[0.5], [1.0], [0.0]]]> : tensor<1x3x1xf32>
  %u = arith.constant dense<0.25> : tensor<4x12x8xf32>
  %d = arith.constant dense<0.25> : tensor<4x8x6xf32>
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x3x8xf32>, tensor<1x3x1xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %y : tensor<1x3x8xf32>
}
//--- layers.mlir
func.func @main() -> (tensor<1x40x8xf32> {block.output = "y"}) {
  %x = arith.constant dense<1.0> : tensor<1x40x8xf32>
  %u = arith.constant dense<0.25> : tensor<4x12x8xf32>
  %d = arith.constant dense<0.25> : tensor<4x8x6xf32>
  %w = arith.constant dense<0.5> : tensor<1x40x2xf32>
  %a = block.layer "first" at 0 -> tensor<1x40x8xf32> {
    %i = arith.constant dense<3> : tensor<1x40x2xi64>
    %z = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x40x8xf32>, tensor<1x40x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
    block.yield %z : tensor<1x40x8xf32>
  }
  %b = block.layer "second" at 1 -> tensor<1x40x8xf32> {
    %i = arith.constant dense<"0x00000000000000000000000000000000000000000000000000000000FFFFFFFF000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000090000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000FFFFFFFFFFFFFFFF"> : tensor<1x40x2xi64>
    %z = block.experts %a of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x40x8xf32>, tensor<1x40x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
    block.yield %z : tensor<1x40x8xf32>
  }
  return %b : tensor<1x40x8xf32>
}
//--- grads.mlir
func.func @main() -> (tensor<1x2x4xf32> {block.output = "y"}) {
  %g = arith.constant dense<0.5> : tensor<1x2x2xf32>
  %l = arith.constant dense<1.0> : tensor<1x2x4xf32>
  %i = arith.constant dense<[[[3, 1], [2, 4]]]> : tensor<1x2x2xi64>
  %y = block.route_grad %g of %l at %i {wrt = ["logits"], form = #block.routing<chosen = 2, score = sigmoid>} : tensor<1x2x2xf32>, tensor<1x2x4xf32>, tensor<1x2x2xi64> -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}
//--- narrow.mlir
func.func @main(%x: tensor<1x5x8xbf16> {block.input = "x"}, %i: tensor<1x5x1xi64> {block.input = "i"}, %w: tensor<1x5x1xf32> {block.input = "w"}, %u: tensor<4x12x8xbf16> {block.param = "u"}, %d: tensor<4x8x6xbf16> {block.param = "d"}) -> tensor<4x12x8xbf16> {
  %y = block.experts_grad %x of %x at %i by %w up %u down %d {wrt = ["up_weight"], form = #block.experts<activation = silu>} : (tensor<1x5x8xbf16>, tensor<1x5x8xbf16>, tensor<1x5x1xi64>, tensor<1x5x1xf32>, tensor<4x12x8xbf16>, tensor<4x8x6xbf16>) -> tensor<4x12x8xbf16>
  return %y : tensor<4x12x8xbf16>
}
//--- gradient.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "r"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %y : tensor<1x5x8xf32>
}
