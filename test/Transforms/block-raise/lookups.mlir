// Tokens of several streams, positions that count tokens, and rows of 16 bits.
// RUN: block-opt --unbroken-lines %s --split-input-file --block-raise | FileCheck %s

// The rows of an encoder and of a decoder, which have other numbers of tokens, of one table.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: block.embedding %arg0 in %arg2 : tensor<2x5xi64>, tensor<7x4xf32>
// CHECK-DAG: block.embedding %arg1 in %arg2 positions %arg3 {position_offset = 1} : tensor<2x3xi64>, tensor<7x4xf32>, tensor<9x4xf32>
// CHECK-NOT: linalg.generic
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%a: tensor<2x5xi64>, %b: tensor<2x3xi64>, %table: tensor<7x4xf32> {block.param = "table"}, %places: tensor<9x4xf32> {block.param = "places"}) -> (tensor<2x3x4xf32>, tensor<2x5x4xf32>) {
  %0 = tensor.empty() : tensor<2x5x4xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<2x5xi64>) outs(%0 : tensor<2x5x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x5x4xf32>
  %2 = tensor.empty() : tensor<2x3x4xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<2x3xi64>) outs(%2 : tensor<2x3x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x3x4xf32>
  %part = tensor.extract_slice %places[1, 0] [3, 4] [1, 1] : tensor<9x4xf32> to tensor<3x4xf32>
  %wide = tensor.expand_shape %part [[0, 1], [2]] output_shape [1, 3, 4] : tensor<3x4xf32> into tensor<1x3x4xf32>
  %4 = tosa.add %3, %wide : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  return %4, %1 : tensor<2x3x4xf32>, tensor<2x5x4xf32>
}

// -----

// Sums up to each token of who is no padding, as a reduction that chooses; rows of bf16 stay of that type, and so does
// their sum.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: linalg.generic
// CHECK: block.embedding %arg0 in %arg1 positions %arg2 {pad_id = 1} : tensor<2x5xi64>, tensor<7x4xbf16>, tensor<9x4xbf16>{{$}}
// CHECK-NOT: linalg.generic
#whole = affine_map<(d0, d1, d2) -> (d0, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%ids: tensor<2x5xi64>, %table: tensor<7x4xbf16> {block.param = "table"}, %places: tensor<9x4xbf16> {block.param = "places"}) -> tensor<2x5x4xbf16> {
  %pad = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.equal"(%ids, %pad) : (tensor<2x5xi64>, tensor<1x1xi64>) -> tensor<2x5xi1>
  %some = tosa.logical_not %none : (tensor<2x5xi1>) -> tensor<2x5xi1>
  %real = "tosa.cast"(%some) : (tensor<2x5xi1>) -> tensor<2x5xi64>
  %zeros = arith.constant dense<0> : tensor<2x5xi64>
  %sums = linalg.generic {indexing_maps = [#whole, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%real : tensor<2x5xi64>) outs(%zeros : tensor<2x5xi64>) {
  ^bb0(%term: i64, %sum: i64):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %zero = arith.constant 0 : i64
    %before = arith.cmpi ule, %column, %row : index
    %kept = arith.select %before, %term, %zero : i64
    %total = arith.addi %sum, %kept : i64
    linalg.yield %total : i64
  } -> tensor<2x5xi64>
  %counts = "tosa.mul"(%sums, %real, %s) : (tensor<2x5xi64>, tensor<2x5xi64>, tensor<1xi8>) -> tensor<2x5xi64>
  %positions = "tosa.add"(%counts, %pad) : (tensor<2x5xi64>, tensor<1x1xi64>) -> tensor<2x5xi64>
  %0 = tensor.empty() : tensor<2x5x4xbf16>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%0 : tensor<2x5x4xbf16>) {
  ^bb0(%row: i64, %old: bf16):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x4xbf16>
    linalg.yield %e : bf16
  } -> tensor<2x5x4xbf16>
  %2 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%positions : tensor<2x5xi64>) outs(%0 : tensor<2x5x4xbf16>) {
  ^bb0(%row: i64, %old: bf16):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %places[%i, %j] : tensor<9x4xbf16>
    linalg.yield %e : bf16
  } -> tensor<2x5x4xbf16>
  %3 = tosa.add %1, %2 : (tensor<2x5x4xbf16>, tensor<2x5x4xbf16>) -> tensor<2x5x4xbf16>
  return %3 : tensor<2x5x4xbf16>
}

// -----

// The same with sums of what comes behind, which count nothing: ids of types choose the rows.
// CHECK-LABEL: func.func @main(
// CHECK: block.embedding %arg0 in %arg1 types %{{.*}} type_table %arg2
// CHECK-NOT: pad_id
#whole = affine_map<(d0, d1, d2) -> (d0, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%ids: tensor<2x5xi64>, %table: tensor<7x4xf32> {block.param = "table"}, %places: tensor<9x4xf32> {block.param = "places"}) -> tensor<2x5x4xf32> {
  %pad = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.equal"(%ids, %pad) : (tensor<2x5xi64>, tensor<1x1xi64>) -> tensor<2x5xi1>
  %some = tosa.logical_not %none : (tensor<2x5xi1>) -> tensor<2x5xi1>
  %real = "tosa.cast"(%some) : (tensor<2x5xi1>) -> tensor<2x5xi64>
  %zeros = arith.constant dense<0> : tensor<2x5xi64>
  %sums = linalg.generic {indexing_maps = [#whole, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%real : tensor<2x5xi64>) outs(%zeros : tensor<2x5xi64>) {
  ^bb0(%term: i64, %sum: i64):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %zero = arith.constant 0 : i64
    %before = arith.cmpi uge, %column, %row : index
    %kept = arith.select %before, %term, %zero : i64
    %total = arith.addi %sum, %kept : i64
    linalg.yield %total : i64
  } -> tensor<2x5xi64>
  %counts = "tosa.mul"(%sums, %real, %s) : (tensor<2x5xi64>, tensor<2x5xi64>, tensor<1xi8>) -> tensor<2x5xi64>
  %positions = "tosa.add"(%counts, %pad) : (tensor<2x5xi64>, tensor<1x1xi64>) -> tensor<2x5xi64>
  %0 = tensor.empty() : tensor<2x5x4xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%0 : tensor<2x5x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x5x4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%positions : tensor<2x5xi64>) outs(%0 : tensor<2x5x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %places[%i, %j] : tensor<9x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x5x4xf32>
  %3 = tosa.add %1, %2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %3 : tensor<2x5x4xf32>
}

// -----

// A projection stands between tokens and positions, whose numbers are an input: each looks rows up by itself.
// CHECK-LABEL: func.func @main(
// CHECK: %[[TOKENS:.*]] = block.embedding %arg0 in %arg2 : tensor<2x5xi64>, tensor<7x3xf32>
// CHECK: %[[WIDE:.*]] = block.linear %[[TOKENS]]
// CHECK: %[[PLACES:.*]] = block.embedding %arg1 in %arg4 : tensor<2x5xi64>, tensor<9x4xf32>
// CHECK: block.residual %[[PLACES]], %[[WIDE]]
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%ids: tensor<2x5xi64> {block.input = "input_ids"}, %numbers: tensor<2x5xi64> {block.input = "position_ids"}, %table: tensor<7x3xf32> {block.param = "table"}, %wide: tensor<1x3x4xf32> {block.param = "wide"}, %places: tensor<9x4xf32> {block.param = "places"}) -> tensor<2x5x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tensor.empty() : tensor<2x5x3xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%0 : tensor<2x5x3xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x3xf32>
    linalg.yield %e : f32
  } -> tensor<2x5x3xf32>
  %flat = tosa.const_shape {values = dense<[1, 10, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %2 = "tosa.reshape"(%1, %flat) : (tensor<2x5x3xf32>, !tosa.shape<3>) -> tensor<1x10x3xf32>
  %3 = "tosa.matmul"(%2, %wide, %zero, %zero) : (tensor<1x10x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x4xf32>
  %whole = tosa.const_shape {values = dense<[2, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %4 = "tosa.reshape"(%3, %whole) : (tensor<1x10x4xf32>, !tosa.shape<3>) -> tensor<2x5x4xf32>
  %5 = tensor.empty() : tensor<2x5x4xf32>
  %6 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%numbers : tensor<2x5xi64>) outs(%5 : tensor<2x5x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %places[%i, %j] : tensor<9x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x5x4xf32>
  %7 = tosa.add %4, %6 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %7 : tensor<2x5x4xf32>
}

// -----

// A class for each batch row has the leading sizes of what is returned, and is no stream: the ids are, and rows are theirs.
// CHECK-LABEL: func.func @main(
// CHECK: block.embedding %arg1 in %arg2 positions %arg3 : tensor<2x3xi64>, tensor<7x4xf32>, tensor<9x4xf32>
// CHECK-NOT: linalg.generic
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%labels: tensor<2xi64> {block.input = "labels"}, %ids: tensor<2x3xi64> {block.input = "ids"}, %table: tensor<7x4xf32> {block.param = "table"}, %places: tensor<9x4xf32> {block.param = "places"}) -> (tensor<2x4xf32>, tensor<2xi64>) {
  %0 = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %table[%i, %j] : tensor<7x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x3x4xf32>
  %part = tensor.extract_slice %places[0, 0] [3, 4] [1, 1] : tensor<9x4xf32> to tensor<3x4xf32>
  %wide = tensor.expand_shape %part [[0, 1], [2]] output_shape [1, 3, 4] : tensor<3x4xf32> into tensor<1x3x4xf32>
  %2 = tosa.add %1, %wide : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %3 = tosa.reduce_max %2 {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x1x4xf32> into tensor<2x4xf32>
  return %4, %labels : tensor<2x4xf32>, tensor<2xi64>
}
