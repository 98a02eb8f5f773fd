// That an index is one of its tensor need not be said.
// RUN: block-opt %s --leftovers-drop-assertions | FileCheck %s
// CHECK-NOT: cf.assert
// CHECK: tensor.extract
func.func @f(%x: tensor<8xf32>, %at: tensor<2xi64>) -> tensor<2xf32> {
  %empty = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%at : tensor<2xi64>) outs(%empty : tensor<2xf32>) {
  ^bb0(%row: i64, %old: f32):
    %c8 = arith.constant 8 : i64
    %ok = arith.cmpi slt, %row, %c8 : i64
    cf.assert %ok, "row"
    %index = arith.index_cast %row : i64 to index
    %element = tensor.extract %x[%index] : tensor<8xf32>
    linalg.yield %element : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
