// Products in floats that the dialect has no tensors of stay as they are, and so does what is rounded to them.
// RUN: block-opt %s --block-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @f8
// CHECK-NOT: block.
// CHECK: linalg.matmul
func.func @f8(%x: tensor<4x16xf8E4M3FN>, %w: tensor<16x8xf8E4M3FN>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x16xf8E4M3FN>, tensor<16x8xf8E4M3FN>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// -----
// CHECK-LABEL: func.func @f8_result
// CHECK-NOT: block.
// CHECK: linalg.matmul
func.func @f8_result(%x: tensor<4x16xf8E5M2>, %w: tensor<16x8xf8E5M2>) -> tensor<4x8xf8E5M2> {
  %zero = arith.constant 0.0 : f8E5M2
  %e = tensor.empty() : tensor<4x8xf8E5M2>
  %i = linalg.fill ins(%zero : f8E5M2) outs(%e : tensor<4x8xf8E5M2>) -> tensor<4x8xf8E5M2>
  %y = linalg.matmul ins(%x, %w : tensor<4x16xf8E5M2>, tensor<16x8xf8E5M2>) outs(%i : tensor<4x8xf8E5M2>) -> tensor<4x8xf8E5M2>
  return %y : tensor<4x8xf8E5M2>
}
// -----
// CHECK-LABEL: func.func @f4
// CHECK-NOT: block.
// CHECK: linalg.matmul
func.func @f4(%x: tensor<4x16xf4E2M1FN>, %w: tensor<16x8xf4E2M1FN>) -> tensor<4x8xf4E2M1FN> {
  %zero = arith.constant 0.0 : f4E2M1FN
  %e = tensor.empty() : tensor<4x8xf4E2M1FN>
  %i = linalg.fill ins(%zero : f4E2M1FN) outs(%e : tensor<4x8xf4E2M1FN>) -> tensor<4x8xf4E2M1FN>
  %y = linalg.matmul ins(%x, %w : tensor<4x16xf4E2M1FN>, tensor<16x8xf4E2M1FN>) outs(%i : tensor<4x8xf4E2M1FN>) -> tensor<4x8xf4E2M1FN>
  return %y : tensor<4x8xf4E2M1FN>
}
// -----
// CHECK-LABEL: func.func @tf32
// CHECK-NOT: block.
// CHECK: linalg.matmul
func.func @tf32(%x: tensor<4x16xtf32>, %w: tensor<16x8xtf32>) -> tensor<4x8xtf32> {
  %zero = arith.constant 0.0 : tf32
  %e = tensor.empty() : tensor<4x8xtf32>
  %i = linalg.fill ins(%zero : tf32) outs(%e : tensor<4x8xtf32>) -> tensor<4x8xtf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x16xtf32>, tensor<16x8xtf32>) outs(%i : tensor<4x8xtf32>) -> tensor<4x8xtf32>
  return %y : tensor<4x8xtf32>
}
// -----
// What is widened first is a product of f32, of what the conversion gives.
// CHECK-LABEL: func.func @widened
// CHECK: %[[X:.*]] = arith.extf %arg0 : tensor<4x16xf8E4M3FN> to tensor<4x16xf32>
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[X]]
// CHECK: block.head %[[ROWS]],
func.func @widened(%x: tensor<4x16xf8E4M3FN>, %w: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %0 = arith.extf %x : tensor<4x16xf8E4M3FN> to tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%0, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// -----
// A rounding within a body is one, too: the result of 8 bits is no relu of the projection.
// CHECK-LABEL: func.func @rounded
// CHECK: arith.truncf
// CHECK: arith.extf
// CHECK-NOT: block.mlp
func.func @rounded(%x: tensor<1x4x16xf32>, %w: tensor<16x8xf32>, %v: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x4x16xf32> into tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%rows, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.maximumf %in, %zero : f32
    %n = arith.truncf %p : f32 to f8E4M3FN
    %m = arith.extf %n : f8E4M3FN to f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x16xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  %z = linalg.matmul ins(%a, %v : tensor<4x8xf32>, tensor<8x16xf32>) outs(%j : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %z : tensor<4x16xf32>
}
