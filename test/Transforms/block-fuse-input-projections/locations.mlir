// A merged projection, its weights and its split keep the places of all that merged.
// RUN: block-opt %s --block-fuse-input-projections --mlir-print-debuginfo | FileCheck %s

#first = loc("model.py":8:1)
#second = loc("model.py":9:1)
// CHECK-LABEL: func.func @main(
// CHECK: tensor.concat {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: block.linear {{.*}} loc(#[[BOTH]])
// CHECK-NEXT: block.split {{.*}} loc(#[[BOTH]])
// CHECK-DAG: #[[FIRST:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[SECOND:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[FIRST]], #[[SECOND]]])
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#first)
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#second)
  return %a, %b : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
