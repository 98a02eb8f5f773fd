// What is not a step stays outside of kernels; what reads it joins no kernel before it.
// RUN: block-opt %s --block-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[A:.*]] = block.kernel "linear"
// CHECK: %[[M:.*]] = block.mlp %[[A]]
// CHECK-NEXT: %[[H:.*]] = block.kernel "rows" (%{{.*}} = %[[A]] : tensor<2x5x8xf32>, %{{.*}} = %[[M]] : tensor<2x5x8xf32>)
// CHECK-NEXT: block.residual
// CHECK: return %[[H]]
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %m = block.mlp %a up %w down %w {activation = #block.activation<tanh>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %h = block.residual %a, %m : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// Behind a layer, too.
// CHECK-LABEL: func.func @layers(
// CHECK-NEXT: %[[A:.*]] = block.kernel "linear"
// CHECK: %[[L:.*]] = block.layer "h.0" at 0
// CHECK: block.mlp %[[A]]
// CHECK: %[[H:.*]] = block.kernel "rows" (%{{.*}} = %[[A]] : tensor<2x5x8xf32>, %{{.*}} = %[[L]] : tensor<2x5x8xf32>)
// CHECK: return %[[H]]
func.func @layers(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %m = block.mlp %a up %w down %w {activation = #block.activation<tanh>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    block.yield %m : tensor<2x5x8xf32>
  }
  %h = block.residual %a, %y : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}
