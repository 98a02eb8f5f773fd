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

// A sum of many f32 is made in f64 where that is asked for; one of few, of products or a maximum is not.
// RUN: block-opt %s --leftovers-widen-sums="long-sums=true" | FileCheck %s --check-prefix=LONG
// CHECK: func.func @long
// CHECK-NOT: f64
// LONG: func.func @f
// LONG: arith.truncf %{{.*}} : tensor<2xf32> to tensor<2xbf16>
// LONG-NOT: f64
// LONG: func.func @long
// LONG: arith.extf %{{.*}} : tensor<2xf32> to tensor<2xf64>
// LONG: ^bb0(%[[IN:.*]]: f32, %[[SUM:.*]]: f64):
// LONG: %[[WIDE:.*]] = arith.extf %[[IN]] : f32 to f64
// LONG: arith.addf %[[SUM]], %[[WIDE]] : f64
// LONG: arith.truncf %{{.*}} : tensor<2xf64> to tensor<2xf32>
// LONG: func.func @others
// LONG-NOT: f64
func.func @long(%x: tensor<2x11x3xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<2x11x3xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @others(%few: tensor<2x32xf32>, %x: tensor<2x33xf32>, %init: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%few : tensor<2x32xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%x, %x : tensor<2x33xf32>, tensor<2x33xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %by: f32, %sum: f32):
    %product = arith.mulf %in, %by : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x33xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.maximumf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
