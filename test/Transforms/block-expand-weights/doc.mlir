// A norm's gain in a weight, for the documentation of the pass.
// RUN: block-opt %s --block-expand-weights | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x8xbf16>
// CHECK-NEXT: %[[FOLDED:.*]] = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x8xbf16>, tensor<8xf32>)
// CHECK-NEXT: outs(%[[EMPTY]] : tensor<4x8xbf16>) {
// CHECK: arith.truncf %{{.*}} : f64 to bf16
// CHECK: return %[[FOLDED]] : tensor<4x8xbf16>
func.func @main(%weight: tensor<4x8xbf16>, %gamma: tensor<8xf32>) -> tensor<4x8xbf16> {
  %0 = block.fold_gain %weight, %gamma {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}
