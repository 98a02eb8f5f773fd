// Open sizes and sums to one number; functions of elements and sums of f32 stay.
// RUN: block-opt %s --leftovers-widen-sums | FileCheck %s
// CHECK-LABEL: func.func @open_f16(
// CHECK: %[[WIDE:.*]] = arith.extf %arg1 : tensor<?xf16> to tensor<?xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<?x?xf16>) outs(%[[WIDE]] : tensor<?xf32>)
// CHECK: ^bb0(%[[IN:.*]]: f16, %[[SUM:.*]]: f32):
// CHECK-NEXT: %[[NUMBER:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT: arith.addf %[[SUM]], %[[NUMBER]] : f32
// CHECK: arith.truncf %{{.*}} : tensor<?xf32> to tensor<?xf16>
func.func @open_f16(%x: tensor<?x?xf16>, %init: tensor<?xf16>) -> tensor<?xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf16>) outs(%init : tensor<?xf16>) {
  ^bb0(%in: f16, %sum: f16):
    %next = arith.addf %sum, %in : f16
    linalg.yield %next : f16
  } -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

// The order of operands is kept.
// CHECK-LABEL: func.func @rank0(
// CHECK: arith.extf %arg1 : tensor<bf16> to tensor<f32>
// CHECK: ^bb0(%[[IN:.*]]: bf16, %[[SUM:.*]]: f32):
// CHECK-NEXT: %[[NUMBER:.*]] = arith.extf %[[IN]]
// CHECK-NEXT: arith.addf %[[NUMBER]], %[[SUM]] : f32
func.func @rank0(%x: tensor<8xbf16>, %init: tensor<bf16>) -> tensor<bf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<8xbf16>) outs(%init : tensor<bf16>) {
  ^bb0(%in: bf16, %sum: bf16):
    %next = arith.addf %in, %sum : bf16
    linalg.yield %next : bf16
  } -> tensor<bf16>
  return %0 : tensor<bf16>
}

// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT: arith.extf
// CHECK: arith.addf %{{.*}} : bf16
func.func @elementwise(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : tensor<8xbf16>) outs(%e : tensor<8xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %next = arith.addf %in, %in : bf16
    linalg.yield %next : bf16
  } -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @f32(
// CHECK-NOT: f64
// CHECK: arith.addf %{{.*}} : f32
// CHECK-NOT: arith.truncf
func.func @f32(%x: tensor<2x8xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x8xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
