// Open sizes, changed shapes and single numbers; what one op reads, and what holds data, stays.
// RUN: block-opt %s --cpu-separate-blanks | FileCheck %s
// CHECK-LABEL: func.func @open(
// CHECK: %[[A:.*]] = tensor.empty(%arg1) : tensor<?xf16>
// CHECK: %[[ZEROS:.*]] = linalg.generic {{.*}} outs(%[[A]] :
// CHECK: linalg.reduce { arith.addf } ins(%arg0 : {{.*}}) outs(%[[ZEROS]] :
// CHECK: %[[B:.*]] = tensor.empty(%arg1) : tensor<?xf16>
// CHECK: %[[OTHERS:.*]] = linalg.generic {{.*}} outs(%[[B]] :
// CHECK: linalg.reduce { arith.maximumf } ins(%arg0 : {{.*}}) outs(%[[OTHERS]] :
func.func @open(%a: tensor<?x8xf16>, %n: index) -> (tensor<?xf16>, tensor<?xf16>) {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty(%n) : tensor<?xf16>
  %zeros = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<?xf16>) {
  ^bb0(%out: f16):
    linalg.yield %zero : f16
  } -> tensor<?xf16>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x8xf16>) outs(%zeros : tensor<?xf16>) dimensions = [1]
  %1 = linalg.reduce { arith.maximumf } ins(%a : tensor<?x8xf16>) outs(%zeros : tensor<?xf16>) dimensions = [1]
  return %0, %1 : tensor<?xf16>, tensor<?xf16>
}

// CHECK-LABEL: func.func @shaped(
// CHECK: %[[A:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK-NEXT: %[[FLAT:.*]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT: linalg.exp ins(%arg0 : tensor<4xf32>) outs(%[[FLAT]] :
// CHECK-NEXT: %[[B:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK-NEXT: %[[OTHER:.*]] = tensor.collapse_shape %[[B]]
// CHECK-NEXT: linalg.log ins(%arg0 : tensor<4xf32>) outs(%[[OTHER]] :
func.func @shaped(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %empty = tensor.empty() : tensor<2x2xf32>
  %flat = tensor.collapse_shape %empty [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%flat : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.log ins(%a : tensor<4xf32>) outs(%flat : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @rank0(
// CHECK-COUNT-2: tensor.empty() : tensor<f32>
// CHECK-NOT: tensor.empty
func.func @rank0(%a: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %empty = tensor.empty() : tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4xf32>) outs(%empty : tensor<f32>) dimensions = [0]
  %1 = linalg.reduce { arith.mulf } ins(%a : tensor<4xf32>) outs(%empty : tensor<f32>) dimensions = [0]
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @one_reader(
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty
func.func @one_reader(%a: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @data(
// CHECK-NEXT: linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 :
// CHECK-NEXT: linalg.log ins(%arg0 : tensor<4xf32>) outs(%arg1 :
func.func @data(%a: tensor<4xf32>, %given: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%given : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.log ins(%a : tensor<4xf32>) outs(%given : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
