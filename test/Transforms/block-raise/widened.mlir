// Data of 32 bits times weights of 16, which are widened where they are read: products have one type.
// RUN: block-opt %s --block-raise -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=2 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-run %t.mlir --engine=emulate --chip=sm_80 --seed=2 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<6x4xbf16> to tensor<6x4xf32>
// CHECK: block.head %arg0, %[[WIDE]]
// SAME: PASS
func.func @main(%x: tensor<2x3x4xf32>, %w: tensor<4x6xbf16>) -> tensor<2x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %wide = arith.extf %w : tensor<4x6xbf16> to tensor<4x6xf32>
  %empty = tensor.empty() : tensor<6x6xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x6xf32>) -> tensor<6x6xf32>
  %y = linalg.matmul ins(%rows, %wide : tensor<6x4xf32>, tensor<4x6xf32>) outs(%start : tensor<6x6xf32>) -> tensor<6x6xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, 6] : tensor<6x6xf32> into tensor<2x3x6xf32>
  return %r : tensor<2x3x6xf32>
}
