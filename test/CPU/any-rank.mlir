// Functions of each element on tensors of any rank, tensors of one element, and casts between them: by launches of rows or of leftovers.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-run %t/line.mlir --seed=3 --baseline=%t/line.mlir | FileCheck %s --implicit-check-not=FAIL
// RUN: block-run %t/square.mlir --seed=3 --baseline=%t/square.mlir | FileCheck %s --implicit-check-not=FAIL
// RUN: block-run %t/deep.mlir --seed=3 --baseline=%t/deep.mlir | FileCheck %s --implicit-check-not=FAIL
// RUN: block-run %t/single.mlir --seed=3 --baseline=%t/single.mlir | FileCheck %s --implicit-check-not=FAIL
// RUN: block-run %t/casts.mlir --seed=3 --baseline=%t/casts.mlir | FileCheck %s --implicit-check-not=FAIL
// RUN: block-run %t/deep.mlir --engine=emulate --seed=3 --baseline=%t/deep.mlir | FileCheck %s --implicit-check-not=FAIL
// CHECK: PASS
// A width that is not known is no row.
// RUN: not block-run %t/open.mlir --engine=cpu --dims=n=5 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: no CPU code for 'block.activation' outside a kernel

//--- line.mlir
func.func @main(%a: tensor<70xbf16> {block.input = "a"}) -> (tensor<70xbf16> {block.output = "y"}) {
  %0 = block.activation %a {kind = #block.activation<silu>} : tensor<70xbf16>
  %1 = arith.extf %0 : tensor<70xbf16> to tensor<70xf32>
  %2 = block.activation %1 {kind = #block.activation<gelu_erf>} : tensor<70xf32>
  %3 = arith.truncf %2 : tensor<70xf32> to tensor<70xbf16>
  %4 = block.gate %3, %a {kind = #block.activation<silu>} : tensor<70xbf16>
  return %4 : tensor<70xbf16>
}

//--- square.mlir
func.func @main(%a: tensor<4x8xbf16> {block.input = "a"}) -> (tensor<4x8xbf16> {block.output = "y"}) {
  %0 = block.activation %a {kind = #block.activation<silu>} : tensor<4x8xbf16>
  %1 = arith.extf %0 : tensor<4x8xbf16> to tensor<4x8xf32>
  %2 = block.activation %1 {kind = #block.activation<gelu_erf>} : tensor<4x8xf32>
  %3 = arith.truncf %2 : tensor<4x8xf32> to tensor<4x8xbf16>
  %4 = block.gate %3, %a {kind = #block.activation<silu>} : tensor<4x8xbf16>
  return %4 : tensor<4x8xbf16>
}

//--- deep.mlir
func.func @main(%a: tensor<2x3x4x8xbf16> {block.input = "a"}) -> (tensor<2x3x4x8xbf16> {block.output = "y"}) {
  %0 = block.activation %a {kind = #block.activation<silu>} : tensor<2x3x4x8xbf16>
  %1 = arith.extf %0 : tensor<2x3x4x8xbf16> to tensor<2x3x4x8xf32>
  %2 = block.activation %1 {kind = #block.activation<gelu_erf>} : tensor<2x3x4x8xf32>
  %3 = arith.truncf %2 : tensor<2x3x4x8xf32> to tensor<2x3x4x8xbf16>
  %4 = block.gate %3, %a {kind = #block.activation<silu>} : tensor<2x3x4x8xbf16>
  return %4 : tensor<2x3x4x8xbf16>
}

//--- open.mlir
func.func @main(%a: tensor<?xbf16> {block.input = "a", block.dims = ["n"]}) -> (tensor<?xbf16> {block.output = "y"}) {
  %0 = block.activation %a {kind = #block.activation<silu>} : tensor<?xbf16>
  %1 = arith.extf %0 : tensor<?xbf16> to tensor<?xf32>
  %2 = block.activation %1 {kind = #block.activation<gelu_erf>} : tensor<?xf32>
  %3 = arith.truncf %2 : tensor<?xf32> to tensor<?xbf16>
  %4 = block.gate %3, %a {kind = #block.activation<silu>} : tensor<?xbf16>
  return %4 : tensor<?xbf16>
}

//--- single.mlir
func.func @main(%a: tensor<bf16> {block.input = "a"}, %p: tensor<f32> {block.param = "p"}, %x: tensor<3x4xf32> {block.input = "x"}) -> (tensor<f32> {block.output = "y"}, tensor<3x4xf32> {block.output = "z"}, tensor<f32> {block.output = "c"}, tensor<1x1xbf16> {block.output = "d"}) {
  %1 = arith.extf %a : tensor<bf16> to tensor<f32>
  %2 = arith.addf %1, %p : tensor<f32>
  %c = arith.constant dense<2.5> : tensor<f32>
  %e = tensor.expand_shape %p [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.mul %x, %e, %s : (tensor<3x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x4xf32>
  %f = tensor.expand_shape %a [] output_shape [1, 1] : tensor<bf16> into tensor<1x1xbf16>
  return %2, %r, %c, %f : tensor<f32>, tensor<3x4xf32>, tensor<f32>, tensor<1x1xbf16>
}

//--- casts.mlir
func.func @main(%a: tensor<3x18x48xbf16> {block.input = "a"}, %b: tensor<3x18x48xbf16> {block.input = "b"}, %g: tensor<48xbf16> {block.param = "g"}) -> (tensor<3x18x48xbf16> {block.output = "y"}) {
  %c = tensor.collapse_shape %a [[0, 1, 2]] : tensor<3x18x48xbf16> into tensor<2592xbf16>
  %0 = arith.extf %c : tensor<2592xbf16> to tensor<2592xf32>
  %d = tensor.collapse_shape %b [[0, 1, 2]] : tensor<3x18x48xbf16> into tensor<2592xbf16>
  %1 = arith.extf %d : tensor<2592xbf16> to tensor<2592xf32>
  %2 = arith.addf %0, %1 : tensor<2592xf32>
  %e = tensor.expand_shape %2 [[0, 1, 2]] output_shape [3, 18, 48] : tensor<2592xf32> into tensor<3x18x48xf32>
  %n = block.norm %e gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : (tensor<3x18x48xf32>, tensor<48xbf16>) -> tensor<3x18x48xbf16>
  return %n : tensor<3x18x48xbf16>
}
