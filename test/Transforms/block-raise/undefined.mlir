// Ops that compute with elements of tensor.empty are errors, since each engine would have other numbers there.
// RUN: not block-opt %s --block-raise -o %t.mlir 2>&1 | FileCheck %s
// RUN: not block-run %s --function=product --engine=reference --seed=1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not block-run %s --function=product --engine=cpu --seed=1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not block-translate %s --function=product --block-to-object -o %t.o 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not ls %t.mlir %t.o
// RUN: block-run %s --function=written --engine=cpu --seed=1 --check-against=reference

// CHECK: [[# @LINE + 6]]:8: error: 'linalg.matmul' op requires defined elements, got those of 'tensor.empty' as operand #2; use 'linalg.fill' to define them
// CHECK: [[# @LINE + 4]]:8: note: the elements
// PRODUCT: [[# @LINE + 4]]:8: error: 'linalg.matmul' op requires defined elements
// PRODUCT-NOT: see current operation
func.func @product(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK: [[# @LINE + 5]]:8: error: 'arith.addf' op requires defined elements, got those of 'tensor.empty' as operand #1
func.func @reshaped(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %part = tensor.extract_slice %e[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
  %m = tensor.expand_shape %part [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %y = arith.addf %x, %m : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK: [[# @LINE + 7]]:8: error: 'arith.addf' op requires defined elements, got those of 'tensor.empty' as operand #1
func.func @moved(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x2xf32>
  %place = tensor.empty() : tensor<2x8xf32>
  %t = linalg.transpose ins(%e : tensor<8x2xf32>) outs(%place : tensor<2x8xf32>) permutation = [1, 0]
  %half = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %m = tensor.concat dim(0) %half, %t : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %y = arith.addf %x, %m : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK: [[# @LINE + 4]]:8: error: 'linalg.reduce' op requires defined elements, got those of 'tensor.empty' as operand #1
// CHECK-NOT: error:
func.func @sum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  return %y : tensor<4xf32>
}

// Elements that are written only, moved or not there are no reads.
func.func @written(%x: tensor<4x8xf32>, %none: tensor<4x0xf32>) -> (tensor<8x4xf32>, tensor<4x0xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %half = tensor.extract_slice %f[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %w = tensor.insert_slice %half into %t[4, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  %n = tensor.empty() : tensor<4x0xf32>
  %s = arith.addf %none, %n : tensor<4x0xf32>
  return %w, %s : tensor<8x4xf32>, tensor<4x0xf32>
}
