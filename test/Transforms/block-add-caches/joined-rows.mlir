// Steps on the rows of all sequences, one behind the other, are steps on rows, if these are divided as the tokens are.
// RUN: split-file %s %t
// RUN: block-opt %t/taken.mlir --block-add-caches -o %t.cached.mlir
// RUN: FileCheck %s < %t.cached.mlir
// CHECK: block.cache_append
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
// RUN: block-run %t.cached.mlir --engine=reference --seed=3 --dims=batch=2 --steps=5 --step-tokens=2 | FileCheck %s --check-prefix=STEPS
// STEPS: PASS logits
// RUN: block-opt %t/router.mlir --block-add-caches -o %t.router.mlir
// RUN: block-run %t.router.mlir --engine=reference --seed=3 --dims=batch=2 --steps=5 --step-tokens=2 | FileCheck %s --check-prefix=STEPS
// RUN: not block-opt %t/refused.mlir --split-input-file --block-add-caches 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: block-add-caches: expected blocks alone, got 'tensor.expand_shape', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tosa.add', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tosa.reduce_max', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tensor.collapse_shape', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tosa.add', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'linalg.generic', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tensor.expand_shape', which may look at more than a row
// REFUSED: error: block-add-caches: expected rows of sequences, got those of all of them, one behind the other, in 'block.sdpa'

//--- taken.mlir
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = "tosa.const"() <{values = dense<0.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %m = tosa.minimum %j, %limit : (tensor<?x4xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
  %s = tosa.add %m, %j : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %e, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// A router by parts: columns are numbered along empty tensors of as many rows, an element of each row is read by a
// number, columns are joined with the rows and divided again, and rows are those of one sequence for a route.
//--- router.mlir
#own = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (0, 0)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %rows = arith.muli %b, %n : index
  %zero = "tosa.const"() <{values = dense<0> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %none = "tosa.const"() <{values = dense<99> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %empty = tensor.empty(%rows) : tensor<?x4xi64>
  %begin = linalg.generic {indexing_maps = [#one, #own], iterator_types = ["parallel", "parallel"]} ins(%zero : tensor<1x1xi64>) outs(%empty : tensor<?x4xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<?x4xi64>
  %columns = linalg.generic {indexing_maps = [#own], iterator_types = ["parallel", "parallel"]} outs(%begin : tensor<?x4xi64>) {
  ^bb0(%out: i64):
    %c = linalg.index 1 : index
    %number = arith.index_cast %c : index to i64
    linalg.yield %number : i64
  } -> tensor<?x4xi64>
  %most = tosa.reduce_max %j {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  %is = tosa.equal %j, %most : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xi1>
  %place = tosa.select %is, %columns, %none : (tensor<?x4xi1>, tensor<?x4xi64>, tensor<1x1xi64>) -> tensor<?x4xi64>
  %first = tosa.reduce_min %place {axis = 1 : i32} : (tensor<?x4xi64>) -> tensor<?x1xi64>
  %room = tensor.empty(%rows) : tensor<?x1xf32>
  %best = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel", "parallel"]} ins(%first : tensor<?x1xi64>) outs(%room : tensor<?x1xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = linalg.index 0 : index
    %k = arith.index_cast %in : i64 to index
    %value = tensor.extract %j[%r, %k] : tensor<?x4xf32>
    linalg.yield %value : f32
  } -> tensor<?x1xf32>
  %line = tensor.collapse_shape %j [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %one = tensor.expand_shape %line [[0, 1, 2]] output_shape [1, %rows, 4] : tensor<?xf32> into tensor<1x?x4xf32>
  %indices, %weights = block.route %one {form = #block.routing<chosen = 1, score = logit>} : (tensor<1x?x4xf32>) -> (tensor<1x?x1xi64>, tensor<1x?x1xf32>)
  %chosen = tensor.collapse_shape %weights [[0, 1], [2]] : tensor<1x?x1xf32> into tensor<?x1xf32>
  %both = tosa.concat %best, %chosen {axis = 1 : i32} : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  %sum = tosa.reduce_sum %both {axis = 1 : i32} : (tensor<?x2xf32>) -> tensor<?x1xf32>
  %all = tosa.add %sum, %j : (tensor<?x1xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = tensor.expand_shape %all [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %e, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

//--- refused.mlir
func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<3x4x4xf32> {
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %e = tensor.expand_shape %j [[0, 1], [2]] output_shape [3, 4, 4] : tensor<12x4xf32> into tensor<3x4x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<3x4x4xf32>
  return %y : tensor<3x4x4xf32>
}

// -----

func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}, %t: tensor<12x4xf32> {block.param = "t"}) -> tensor<2x6x4xf32> {
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %s = tosa.add %j, %t : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x4xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 6, 4] : tensor<12x4xf32> into tensor<2x6x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<2x6x4xf32> {
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %m = tosa.reduce_max %j {axis = 0 : i32} : (tensor<12x4xf32>) -> tensor<1x4xf32>
  %s = tosa.sub %j, %m : (tensor<12x4xf32>, tensor<1x4xf32>) -> tensor<12x4xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 6, 4] : tensor<12x4xf32> into tensor<2x6x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<2x6x4xf32> {
  %j = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x6x4xf32> into tensor<2x24xf32>
  %e = tensor.expand_shape %j [[0], [1, 2]] output_shape [2, 6, 4] : tensor<2x24xf32> into tensor<2x6x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

// Numbers of rows are no columns.
#own = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<2x6x4xf32> {
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %empty = tensor.empty() : tensor<12x4xf32>
  %rows = linalg.generic {indexing_maps = [#own], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<12x4xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %number = arith.index_cast %r : index to i64
    %float = arith.sitofp %number : i64 to f32
    linalg.yield %float : f32
  } -> tensor<12x4xf32>
  %s = tosa.add %j, %rows : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x4xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 6, 4] : tensor<12x4xf32> into tensor<2x6x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

// An element of another row.
#own = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<2x6x4xf32> {
  %c0 = arith.constant 0 : index
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %empty = tensor.empty() : tensor<12x4xf32>
  %s = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel", "parallel"]} ins(%j : tensor<12x4xf32>) outs(%empty : tensor<12x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = linalg.index 1 : index
    %first = tensor.extract %j[%c0, %c] : tensor<12x4xf32>
    %both = arith.addf %in, %first : f32
    linalg.yield %both : f32
  } -> tensor<12x4xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 6, 4] : tensor<12x4xf32> into tensor<2x6x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

// Rows that have other numbers of elements.
func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}, %w: tensor<2x6x1xf32> {block.input = "w"}) -> tensor<2x6x4xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %j = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x6x4xf32> into tensor<48xf32>
  %v = tensor.collapse_shape %w [[0, 1, 2]] : tensor<2x6x1xf32> into tensor<12xf32>
  %four = tensor.expand_shape %j [[0, 1]] output_shape [12, 4] : tensor<48xf32> into tensor<12x4xf32>
  %row = tensor.expand_shape %v [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %part = tensor.extract_slice %four[0, 0] [3, 4] [1, 1] : tensor<12x4xf32> to tensor<3x4xf32>
  %s = tosa.mul %part, %row, %shift : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<1xi8>) -> tensor<3x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

// Attention to all rows as those of one sequence.
func.func @main(%x: tensor<2x6x4xf32> {block.input = "hidden_states"}) -> tensor<2x6x4xf32> {
  %j = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %e = tensor.expand_shape %j [[0, 1], [2]] output_shape [1, 12, 4] : tensor<12x4xf32> into tensor<1x12x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x12x4xf32>
  return %x : tensor<2x6x4xf32>
}
