// A sum of projections keeps the places of all of them, the residual its own.
// RUN: block-opt %s --block-fuse-output-projections --mlir-print-debuginfo | FileCheck %s

#first = loc("model.py":8:1)
#second = loc("model.py":9:1)
#sum = loc("model.py":10:1)
// CHECK-LABEL: func.func @main(
// CHECK: block.linear_sum{{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: block.residual {{.*}} loc(#[[SUM:.*]])
// CHECK-DAG: #[[FIRST:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[SECOND:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[SUM]] = loc("model.py":10:1)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[FIRST]], #[[SECOND]]])
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#first)
  %b = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#second)
  %y = block.residual %x, %a, %b : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32> loc(#sum)
  return %y : tensor<2x5x8xf32>
}
