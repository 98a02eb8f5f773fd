// Arithmetic among weights goes to @prepack, in every spelling that recipes can say: structured ops of any order of
// dimensions, arith and math on tensors, TOSA. The recipe gives the same bits as the reference.
// RUN: block-opt %s --block-prepack="recipe=%t.recipe.mlir" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=RECIPE --input-file=%t.recipe.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: %python %S/../../Package/Inputs/write_ones.py %t.i x 1 2 8
// RUN: %python %S/Inputs/write_weights.py %t.w w:f32:4,8 g:f32:8 h:f16:8,8
// RUN: block-weights --recipe=%t.recipe.mlir %t.w -o %t.packed
// RUN: block-run %t.mlir --engine=reference --inputs=%t.i --weights=%t.w --outputs=%t.first
// RUN: block-run %t.mlir --engine=reference --inputs=%t.i --weights=%t.packed --expect=%t.first | FileCheck %s --check-prefix=BITS
// CHECK: func.func @main(%arg0: tensor<1x2x8xf32> {block.input = "x"},
// CHECK-NEXT: %arg1: tensor<8x8xf32> {block.param = "packed.w"},
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.param = "packed.h"})
// CHECK-NEXT: block.linear %arg0, %arg1
// CHECK-NEXT: block.linear
// What a recipe cannot say stays with the activations.
// CHECK-NEXT: math.cos %arg2
// RECIPE: func.func @prepack(
// RECIPE: math.rsqrt
// RECIPE-NOT: math.cos
// RECIPE: func.func @restore(
// SAME: PASS y
// BITS: PASS y{{.*}}max_abs 0.00e+00
#swapped = affine_map<(n, k) -> (k, n)>
#same = affine_map<(n, k) -> (n, k)>
#row = affine_map<(n, k) -> (k)>
#column = affine_map<(n, k) -> (n, 0)>
func.func @main(%x: tensor<1x2x8xf32> {block.input = "x"}, %w: tensor<4x8xf32> {block.param = "w"}, %g: tensor<8xf32> {block.param = "g"},
    %h: tensor<8x8xf16> {block.param = "h"}) -> (tensor<1x2x8xf32> {block.output = "y"}, tensor<8x8xf32> {block.output = "c"}) {
  %one = arith.constant 1.0 : f32
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %shape = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %e = tensor.empty() : tensor<8x8xf32>
  %reshaped = tosa.reshape %w, %shape : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x4xf32>
  %joined = tosa.concat %reshaped, %reshaped {axis = 1 : i32} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %doubled = tosa.add %joined, %joined : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %gains = tensor.expand_shape %g [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %scaled = tosa.mul %doubled, %gains, %shift : (tensor<8x8xf32>, tensor<8x1xf32>, tensor<1xi8>) -> tensor<8x8xf32>
  %weight = linalg.generic {indexing_maps = [#swapped, #row, #column, #same], iterator_types = ["parallel", "parallel"]} ins(%scaled, %g, %gains : tensor<8x8xf32>, tensor<8xf32>, tensor<8x1xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %two = arith.constant 2.0 : f32
    %p = arith.addf %b, %one : f32
    %q = arith.mulf %a, %p : f32
    %s = arith.mulf %c, %c : f32
    %t = arith.addf %s, %two : f32
    %r = math.rsqrt %t : f32
    %m = arith.mulf %q, %r : f32
    linalg.yield %m : f32
  } -> tensor<8x8xf32>
  %wide = linalg.generic {indexing_maps = [#swapped, #same], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<8x8xf16>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f16, %out: f32):
    %m = arith.extf %a : f16 to f32
    linalg.yield %m : f32
  } -> tensor<8x8xf32>
  %y = block.linear %x, %weight : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  %z = block.linear %y, %weight : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  %cos = math.cos %wide : tensor<8x8xf32>
  return %z, %cos : tensor<1x2x8xf32>, tensor<8x8xf32>
}
