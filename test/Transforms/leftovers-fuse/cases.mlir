// Elementwise ops of any type and rank fuse; costly work for each column, a second reader and a sum stay apart.
// RUN: block-opt %s --leftovers-fuse | FileCheck %s
#row = affine_map<(a, b) -> (a, b)>
#first = affine_map<(a, b) -> (a)>
#map = affine_map<(a) -> (a)>

// CHECK-LABEL: func.func @open_f16(
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.negf %{{.*}} : f16
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
func.func @open_f16(%x: tensor<?xf16>, %n: index) -> tensor<?xf16> {
  %empty = tensor.empty(%n) : tensor<?xf16>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<?xf16>) outs(%empty : tensor<?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %less = arith.negf %in : f16
    linalg.yield %less : f16
  } -> tensor<?xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<?xf16>) outs(%empty : tensor<?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %twice = arith.addf %in, %in : f16
    linalg.yield %twice : f16
  } -> tensor<?xf16>
  return %1 : tensor<?xf16>
}

// CHECK-LABEL: func.func @rank0(
// CHECK-COUNT-1: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: arith.negf
// CHECK-NOT: linalg.generic
func.func @rank0(%x: tensor<f32>) -> tensor<f32> {
  %empty = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x : tensor<f32>) outs(%empty : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%0 : tensor<f32>) outs(%empty : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %less = arith.negf %in : f32
    linalg.yield %less : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// Two functions for each of 64 columns anew.
// CHECK-LABEL: func.func @repeated(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.log
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: arith.mulf
func.func @repeated(%x: tensor<8xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    %t = math.log %s : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %o = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [#first, #row, #row], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<8x64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %p = arith.mulf %in, %by : f32
    linalg.yield %p : f32
  } -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @read_twice(
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @read_twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @sum(
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: arith.negf
func.func @sum(%x: tensor<8x4xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %s = arith.addf %in, %sum : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
