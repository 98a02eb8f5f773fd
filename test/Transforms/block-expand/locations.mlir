// Every step keeps the place of the op it comes from, fused ones too.
// RUN: block-opt %s --block-expand --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

#attention = loc("model.py":10:3)
#gain = loc("model.py":8:1)
#bias = loc("model.py":9:1)
// CHECK-LABEL: func.func @main(
// CHECK: block.norm_stats {{.*}} loc(#[[NORM:.*]])
// CHECK-NEXT: block.normalize {{.*}} loc(#[[NORM]])
// CHECK-NEXT: block.linear {{.*}} loc(#[[ATTENTION:.*]])
// CHECK-NEXT: block.linear {{.*}} loc(#[[ATTENTION]])
// CHECK-NEXT: block.sdpa {{.*}} loc(#[[ATTENTION]])
// CHECK-DAG: #[[GAIN:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[BIAS:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[ATTENTION]] = loc("model.py":10:3)
// CHECK-DAG: #[[NORM]] = loc(fused[#[[GAIN]], #[[BIAS]]])
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %n = block.norm %x {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32> loc(fused[#gain, #bias])
  %a = block.attention %n q %w k %w {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#attention)
  return %a : tensor<2x5x8xf32>
}
