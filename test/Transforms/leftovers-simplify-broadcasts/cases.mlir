// A choice of f16; what has its size anyway is read as it is; a choice of anything else stays.
// RUN: block-opt %s --leftovers-simplify-broadcasts | FileCheck %s
#from = affine_map<(a, b) -> (0, b)>
#id = affine_map<(a, b) -> (a, b)>

// CHECK-LABEL: func.func @f16(
// CHECK-NOT: scf.if
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %c0_0, %[[ROW]] : index
// CHECK: tensor.extract %arg0[%[[AT]], %{{.*}}] : tensor<?x4xf16>
func.func @f16(%x: tensor<?x4xf16>, %batch: index) -> tensor<?x4xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c0 : tensor<?x4xf16>
  %is = arith.cmpi eq, %size, %c1 : index
  %0 = scf.if %is -> (tensor<?x4xf16>) {
    %empty = tensor.empty(%batch) : tensor<?x4xf16>
    %1 = linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf16>) outs(%empty : tensor<?x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<?x4xf16>
    scf.yield %1 : tensor<?x4xf16>
  } else {
    scf.yield %x : tensor<?x4xf16>
  }
  return %0 : tensor<?x4xf16>
}

// CHECK-LABEL: func.func @same_size(
// CHECK-NOT: scf.if
// CHECK: return %arg0
func.func @same_size(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c0 : tensor<?x4xf32>
  %is = arith.cmpi eq, %size, %c1 : index
  %0 = scf.if %is -> (tensor<?x4xf32>) {
    %empty = tensor.empty(%size) : tensor<?x4xf32>
    %1 = linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x4xf32>
    scf.yield %1 : tensor<?x4xf32>
  } else {
    scf.yield %x : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @computed(
// CHECK: scf.if %arg2
// CHECK: arith.negf
// CHECK: return
func.func @computed(%x: tensor<?x4xf32>, %batch: index, %is: i1) -> tensor<?x4xf32> {
  %0 = scf.if %is -> (tensor<?x4xf32>) {
    %empty = tensor.empty(%batch) : tensor<?x4xf32>
    %1 = linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %less = arith.negf %in : f32
      linalg.yield %less : f32
    } -> tensor<?x4xf32>
    scf.yield %1 : tensor<?x4xf32>
  } else {
    scf.yield %x : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @other_value(
// CHECK: scf.if %arg3
// CHECK: scf.yield %arg1
func.func @other_value(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %batch: index, %is: i1) -> tensor<?x4xf32> {
  %0 = scf.if %is -> (tensor<?x4xf32>) {
    %empty = tensor.empty(%batch) : tensor<?x4xf32>
    %1 = linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x4xf32>
    scf.yield %1 : tensor<?x4xf32>
  } else {
    scf.yield %y : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}
