// With weights-out, constant weights become parameters in a file.
// RUN: block-opt %s --block-raise="weights-out=%t.safetensors" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --weights=%t.safetensors --outputs=%t.out
// CHECK: func.func @main(%arg0: tensor<1x2x2xf32> {block.input = "arg00"},
// CHECK-NEXT: %arg1: tensor<2x2xf32> {block.param = "constant.0"})
// CHECK-NOT: arith.constant
// CHECK: block.{{linear|head}}
func.func @main(%x: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x2x2xf32> into tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = linalg.matmul ins(%flat, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %out = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 2, 2] : tensor<2x2xf32> into tensor<1x2x2xf32>
  return %out : tensor<1x2x2xf32>
}
