// A sum of bf16 is carried in f32, and rounded behind.
// RUN: block-opt %s --leftovers-widen-sums | FileCheck %s
// CHECK: arith.extf %{{.*}} : tensor<2xbf16> to tensor<2xf32>
// CHECK: ^bb0(%[[IN:.*]]: bf16, %[[SUM:.*]]: f32):
// CHECK: %[[WIDE:.*]] = arith.extf %[[IN]] : bf16 to f32
// CHECK: arith.addf %[[SUM]], %[[WIDE]] : f32
// CHECK: arith.truncf %{{.*}} : tensor<2xf32> to tensor<2xbf16>
func.func @f(%x: tensor<2x8xbf16>, %init: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x8xbf16>) outs(%init : tensor<2xbf16>) {
  ^bb0(%in: bf16, %sum: bf16):
    %next = arith.addf %sum, %in : bf16
    linalg.yield %next : bf16
  } -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
