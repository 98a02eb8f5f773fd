// Assertions on the places that a table is read at, as torch-mlir writes them, go with the lookup: the embedding fails
// where they would. Others stay, and what has them is no lookup.
// RUN: block-opt %s --split-input-file --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK-LABEL: func.func @main(%arg0: tensor<2x3xi64>
// CHECK-NOT: cf.assert
// CHECK: block.embedding %arg0 in %arg1
// CHECK-LABEL: func.func @main(%arg0: tensor<2x3x4xf32>
// CHECK: cf.assert
// CHECK-NOT: block.activation
#row = affine_map<(b, t, d) -> (b, t)>
#all = affine_map<(b, t, d) -> (b, t, d)>
func.func @main(%ids: tensor<2x3xi64>, %table: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : index
  %e = tensor.empty() : tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = arith.index_cast %in : i64 to index
    %column = linalg.index 2 : index
    %below = arith.cmpi slt, %row, %five : index
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %in, %zero : i64
    cf.assert %above, "index must be larger or equal to 0"
    %element = tensor.extract %table[%row, %column] : tensor<5x4xf32>
    linalg.yield %element : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

#all = affine_map<(b, t, d) -> (b, t, d)>
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %given = arith.cmpf one, %in, %zero : f32
    cf.assert %given, "zero"
    %positive = arith.maximumf %in, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}
