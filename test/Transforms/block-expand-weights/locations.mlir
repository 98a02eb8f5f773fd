// All that takes the place of an op has its place.
// RUN: block-opt %s --block-expand-weights --mlir-print-debuginfo | FileCheck %s

#fold = loc("model.py":8:1)
// CHECK: #[[FOLD:.*]] = loc("model.py":8:1)
// CHECK: tensor.empty() {{.*}} loc(#[[FOLD]])
// CHECK: linalg.generic
// CHECK: arith.mulf {{.*}} loc(#[[FOLD]])
// CHECK: } -> tensor<4x8xf32> loc(#[[FOLD]])
func.func @main(%w: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc(#fold)
  return %0 : tensor<4x8xf32>
}
