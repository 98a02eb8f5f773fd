// A projection and its bias as JAX prints them, in upstream ops.
// RUN: block-opt %s --convert-stablehlo-to-upstream | FileCheck %s

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
// CHECK-NOT: stablehlo
// CHECK: %[[PRODUCT:.*]] = linalg.generic
// CHECK: arith.mulf
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK: %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[WIDE]] : tensor<4x3xf32>
// CHECK: return %[[SUM]]
