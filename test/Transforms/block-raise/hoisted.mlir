// Constant weights within layers are hoisted too, in any form that has elements: dense, resource, TOSA's.
// RUN: block-opt %s --block-raise="weights-out=%t.safetensors" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --weights=%t.safetensors --baseline=%s | FileCheck %s --check-prefix=SAME
// They may stay, too.
// RUN: block-opt %s --block-raise -o %t.kept.mlir
// RUN: block-run %t.kept.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: func.func @main(%arg0: tensor<2x3x4xf32> {block.input = "x"},
// CHECK-NEXT: %arg1: tensor<4xf32> {block.param = "arg01"},
// CHECK-NEXT: %arg2: tensor<4xf32> {block.param = "constant.0"},
// CHECK-NEXT: %arg3: tensor<4x2xf32> {block.param = "constant.1"},
// CHECK-NEXT: %arg4: tensor<2x4xf32> {block.param = "constant.2"}
// CHECK-NOT: constant
// CHECK: block.layer
// CHECK: block.norm %arg0 gamma %arg1 beta %arg2
// CHECK: block.mlp
// CHECK-NOT: constant
// SAME: PASS out0
#x = affine_map<(b, t, d) -> (b, t, d)>
#row = affine_map<(b, t, d) -> (b, t, 0)>
#vector = affine_map<(b, t, d) -> (d)>
func.func @main(%x: tensor<2x3x4xf32> {block.input = "x"}, %g: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %b = arith.constant dense_resource<beta> : tensor<4xf32>
  %up = "tosa.const"() <{values = dense<[[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [2.0, -3.0]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  %down = arith.constant dense<[[0.5, 1.0, 2.0, -1.0], [1.5, -2.0, 0.25, 1.0]]> : tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %eps = arith.constant 1.0e-5 : f32
  %r = tensor.empty() : tensor<2x3x1xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %none = linalg.fill ins(%zero : f32) outs(%r : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x3x4xf32>) outs(%none : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x1xf32>
  %centered = linalg.generic {indexing_maps = [#x, #row, #x], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<2x3x4xf32>, tensor<2x3x1xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.mulf %s, %quarter : f32
    %a = arith.subf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x4xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%centered : tensor<2x3x4xf32>) outs(%none : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %a = arith.addf %q, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x1xf32>
  %norm = linalg.generic {indexing_maps = [#x, #row, #vector, #vector, #x], iterator_types = ["parallel", "parallel", "parallel"]} ins(%centered, %squares, %g, %b : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %s: f32, %gain: f32, %shift: f32, %out: f32):
    %v = arith.mulf %s, %quarter : f32
    %w = arith.addf %v, %eps : f32
    %q = math.rsqrt %w : f32
    %n = arith.mulf %in, %q : f32
    %m = arith.mulf %n, %gain : f32
    %a = arith.addf %m, %shift : f32
    linalg.yield %a : f32
  } -> tensor<2x3x4xf32>
  %flat = tensor.collapse_shape %norm [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %e1 = tensor.empty() : tensor<6x2xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x2xf32>) -> tensor<6x2xf32>
  %h = linalg.matmul ins(%flat, %up : tensor<6x4xf32>, tensor<4x2xf32>) outs(%z1 : tensor<6x2xf32>) -> tensor<6x2xf32>
  %zeros = arith.constant dense<0.0> : tensor<6x2xf32>
  %relu = arith.maximumf %h, %zeros : tensor<6x2xf32>
  %e2 = tensor.empty() : tensor<6x4xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %y = linalg.matmul ins(%relu, %down : tensor<6x2xf32>, tensor<2x4xf32>) outs(%z2 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %branch = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %s = arith.addf %x, %branch : tensor<2x3x4xf32>
  return %s : tensor<2x3x4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      beta: "0x040000000000003F000000BF0000803F00008040"
    }
  }
#-}
