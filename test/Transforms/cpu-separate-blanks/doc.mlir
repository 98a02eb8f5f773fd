// Two sums begin with zeros of their own.
// RUN: block-opt %s --cpu-separate-blanks | FileCheck %s
// CHECK: tensor.empty
// CHECK: %[[ZEROS:.*]] = linalg.generic
// CHECK: linalg.reduce { arith.addf } ins(%arg0 : {{.*}}) outs(%[[ZEROS]] : {{.*}})
// CHECK: tensor.empty
// CHECK: %[[OTHERS:.*]] = linalg.generic
// CHECK: linalg.reduce { arith.addf } ins(%arg1 : {{.*}}) outs(%[[OTHERS]] : {{.*}})
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%b : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
