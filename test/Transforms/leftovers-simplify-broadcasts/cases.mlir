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

// Of two results, each has its own choice; one that is no broadcast keeps both.
#line = affine_map<(a) -> (0)>
#along = affine_map<(a) -> (a)>
// CHECK-LABEL: func.func @two(
// CHECK-NOT: scf.if
// CHECK: tensor.extract %arg0[%{{.*}}] : tensor<?xbf16>
// CHECK: tensor.extract %arg1[%{{.*}}, %{{.*}}] : tensor<?x4xf32>
func.func @two(%x: tensor<?xbf16>, %y: tensor<?x4xf32>, %batch: index, %is: i1) -> (tensor<?xbf16>, tensor<?x4xf32>) {
  %0:2 = scf.if %is -> (tensor<?xbf16>, tensor<?x4xf32>) {
    %e0 = tensor.empty(%batch) : tensor<?xbf16>
    %1 = linalg.generic {indexing_maps = [#line, #along], iterator_types = ["parallel"]} ins(%x : tensor<?xbf16>) outs(%e0 : tensor<?xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<?xbf16>
    %e1 = tensor.empty(%batch) : tensor<?x4xf32>
    %2 = linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<?x4xf32>) outs(%e1 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x4xf32>
    scf.yield %1, %2 : tensor<?xbf16>, tensor<?x4xf32>
  } else {
    scf.yield %x, %y : tensor<?xbf16>, tensor<?x4xf32>
  }
  return %0#0, %0#1 : tensor<?xbf16>, tensor<?x4xf32>
}

// A choice of tensors of rank 0 has nothing to broadcast.
// CHECK-LABEL: func.func @rank0(
// CHECK-NEXT: scf.if %arg2
func.func @rank0(%x: tensor<f16>, %y: tensor<f16>, %is: i1) -> tensor<f16> {
  %0 = scf.if %is -> (tensor<f16>) {
    scf.yield %y : tensor<f16>
  } else {
    scf.yield %x : tensor<f16>
  }
  return %0 : tensor<f16>
}
