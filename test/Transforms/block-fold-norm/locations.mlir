// What a norm and a projection become keeps the places of both; fused places are kept whole.
// RUN: block-opt %s --block-fold-norm --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

#norm = loc("model.py":8:1)
#gain = loc("model.py":9:1)
#linear = loc("model.py":10:3)
// CHECK-LABEL: func.func @main(
// CHECK: block.fold_gain {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: block.weight_sums {{.*}} loc(#[[BOTH]])
// CHECK-NEXT: block.linear {{.*}} loc(#[[BOTH]])
// CHECK-NEXT: block.deferred_norm
// CHECK-NEXT: : tensor<2x5x8xf32> loc(#[[BOTH]])
// CHECK-DAG: #[[NORM:.*]] = loc("model.py":8:1)
// CHECK-DAG: #[[GAIN:.*]] = loc("model.py":9:1)
// CHECK-DAG: #[[LINEAR:.*]] = loc("model.py":10:3)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[NORM]], #[[GAIN]], #[[LINEAR]]])
func.func @main(%x: tensor<2x5x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %n = block.normalize %x mean %s#0 moment %s#1 gamma %g {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<8xf32>) -> tensor<2x5x8xf32> loc(fused[#norm, #gain])
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#linear)
  return %a : tensor<2x5x8xf32>
}
