// The statistics that are left keep the places of all that they serve.
// RUN: block-opt %s --block-share-norm-stats --mlir-print-debuginfo | FileCheck %s

#first = loc("model.py":8:1)
#second = loc("model.py":9:1)
// CHECK-LABEL: func.func @main(
// CHECK: block.norm_stats {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: return
// CHECK-DAG: #[[FIRST:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[SECOND:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[FIRST]], #[[SECOND]]])
func.func @main(%x: tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>) {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32> loc(#first)
  %t = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32> loc(#second)
  return %s, %t : tensor<2x5x1xf32>, tensor<2x5x1xf32>
}
