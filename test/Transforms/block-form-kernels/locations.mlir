// A kernel keeps the places of all its steps, and each step its own.
// RUN: block-opt %s --block-form-kernels --mlir-print-debuginfo | FileCheck %s

#linear = loc("model.py":8:1)
#rope = loc("model.py":9:1)
// CHECK-LABEL: func.func @main(
// CHECK: block.kernel "linear"
// CHECK-NEXT: block.linear {{.*}} loc(#[[LINEAR:.*]])
// CHECK-NEXT: block.rope {{.*}} loc(#[[ROPE:.*]])
// CHECK-NEXT: block.yield {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT: } loc(#[[BOTH]])
// CHECK-DAG: #[[LINEAR]] = loc("model.py":8:1)
// CHECK-DAG: #[[ROPE]] = loc("model.py":9:1)
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[LINEAR]], #[[ROPE]]])
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32> loc(#linear)
  %r = block.rope %a {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32> loc(#rope)
  return %r : tensor<2x5x8xf32>
}
