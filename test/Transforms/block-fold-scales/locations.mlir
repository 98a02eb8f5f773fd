// Scaled weights keep the places of the scale and of the projection.
// RUN: block-opt %s --block-fold-scales --mlir-print-debuginfo | FileCheck %s

#linear = loc("model.py":8:1)
#scale = loc("model.py":9:1)
// CHECK-LABEL: func.func @main(
// CHECK: block.fold_scale {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: block.linear {{.*}} loc(#[[BOTH]])
// CHECK-DAG: #[[LINEAR:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[SCALE:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[LINEAR]], #[[SCALE]]])
func.func @main(%x: tensor<2x5x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#linear)
  %b = block.scale %a by %g : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32> loc(#scale)
  %y = block.residual %x, %b : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
