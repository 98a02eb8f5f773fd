// A cheap function of elements is computed where it is read.
// RUN: block-opt %s --leftovers-fuse | FileCheck %s
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.negf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
#map = affine_map<(a) -> (a)>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %less = arith.negf %in : f32
    linalg.yield %less : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %twice = arith.addf %in, %in : f32
    linalg.yield %twice : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
