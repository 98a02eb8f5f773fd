// A result whose sizes say more than what it is made of keeps its type.
// RUN: block-opt %s --block-expand | FileCheck %s
// RUN: block-opt %s --block-optimize | FileCheck %s --check-prefix=KERNELS

// CHECK: block.linear {{.*}}
// CHECK: return {{.*}} : tensor<2x1x8xf32>
// KERNELS: return {{.*}} : tensor<2x1x8xf32>
func.func @mlp(%arg0: tensor<2x?x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<2x1x8xf32> {
  %0 = block.mlp %arg0 up %arg1 down %arg1 {activation = #block.activation<silu>} : (tensor<2x?x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x1x8xf32>
  return %0 : tensor<2x1x8xf32>
}
