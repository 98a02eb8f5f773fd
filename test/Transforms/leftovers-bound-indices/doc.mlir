// An index that comes from data is brought into its tensor.
// RUN: block-opt %s --leftovers-bound-indices | FileCheck %s
// CHECK: %[[HIGH:.*]] = arith.minsi
// CHECK: %[[AT:.*]] = arith.maxsi %[[HIGH]]
// CHECK: tensor.extract %{{.*}}[%[[AT]]]
func.func @f(%x: tensor<8xf32>, %data: i64) -> f32 {
  %at = arith.index_cast %data : i64 to index
  %0 = tensor.extract %x[%at] : tensor<8xf32>
  return %0 : f32
}
