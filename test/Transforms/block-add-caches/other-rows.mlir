// Rows that have as many elements as others, and still look at them: the number of rows of a call, which a step has
// other than a whole sequence, or one row for all.
// RUN: split-file %s %t
// RUN: block-opt %t/taken.mlir --block-add-caches -o %t.cached.mlir
// RUN: block-run %t.cached.mlir --engine=reference --seed=3 --dims=batch=2 --steps=5 --step-tokens=2 | FileCheck %s --check-prefix=STEPS
// STEPS: PASS logits
// RUN: not block-opt %t/refused.mlir --split-input-file --block-add-caches 2>&1 | FileCheck %s
// CHECK: error: block-add-caches: expected blocks alone, got 'linalg.generic', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'linalg.generic', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'linalg.generic', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'linalg.generic', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'tosa.reduce_sum', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'tosa.mul', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'arith.select', which may look at more than a row
// CHECK: error: block-add-caches: expected blocks alone, got 'tensor.extract_slice', which may look at more than a row
// CHECK: error: block-add-caches: expected rows of sequences, got those of all of them, one behind the other, in 'block.rope'
// CHECK: error: block-add-caches: expected rows of the tokens alone, got some that are the same in every call
// CHECK: error: block-add-caches: expected rows of the tokens alone, got some that are the same in every call
// CHECK: error: block-add-caches: expected rows of the tokens alone, got some that are the same in every call

// A norm of parts of each row.
//--- taken.mlir
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %rows = arith.muli %b, %n : index
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %e = tensor.expand_shape %j [[0], [1, 2]] output_shape [%rows, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %ro = block.norm %e {form = #block.norm<kind = rms, eps = 0.00001>} : tensor<?x2x2xf32>
  %s = tensor.collapse_shape %ro [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %w = tensor.expand_shape %s [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

//--- refused.mlir
// The first row, read by a number of one row.
#own2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %o = tensor.empty() : tensor<1x4xf32>
  %r = linalg.generic {indexing_maps = [#own2], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%out: f32):
    %r0 = linalg.index 0 : index
    %k = linalg.index 1 : index
    %v = tensor.extract %j[%r0, %k] : tensor<?x4xf32>
    linalg.yield %v : f32
  } -> tensor<1x4xf32>
  %s = tosa.add %j, %r : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %w = tensor.expand_shape %s [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// The first token of each sequence, read by a number of one.
#own3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%b) : tensor<?x1x4xf32>
  %r = linalg.generic {indexing_maps = [#own3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<?x1x4xf32>) {
  ^bb0(%out: f32):
    %r0 = linalg.index 0 : index
    %r1 = linalg.index 1 : index
    %k = linalg.index 2 : index
    %v = tensor.extract %y[%r0, %r1, %k] : tensor<?x?x4xf32>
    linalg.yield %v : f32
  } -> tensor<?x1x4xf32>
  %w = tosa.add %y, %r : (tensor<?x?x4xf32>, tensor<?x1x4xf32>) -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// How many tokens a call has, as a sum of ones.
#own2 = affine_map<(d0, d1) -> (d0, d1)>
#own3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#col3 = affine_map<(d0, d1, d2) -> (d2)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%n) : tensor<4x?xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  %p = tensor.empty() : tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  %cnt = linalg.generic {indexing_maps = [#own2, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x?xf32>) outs(%g : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %q = tensor.empty(%b, %n) : tensor<?x?x4xf32>
  %w = linalg.generic {indexing_maps = [#own3, #col3, #own3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %cnt : tensor<?x?x4xf32>, tensor<4xf32>) outs(%q : tensor<?x?x4xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %v = arith.mulf %in, %c : f32
    linalg.yield %v : f32
  } -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// A sum of as many elements as a call has tokens.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %p = tensor.empty(%b, %n) : tensor<?x?x4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%p : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%y, %f : tensor<?x?x4xf32>, tensor<?xf32>) outs(%g : tensor<?x?x4xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %m = arith.mulf %in, %c : f32
    %v = arith.addf %m, %out : f32
    linalg.yield %v : f32
  } -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// How many tokens a call has, along columns.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%n) : tensor<1x1x?xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
  %cnt = tosa.reduce_sum %f {axis = 2 : i32} : (tensor<1x1x?xf32>) -> tensor<1x1x1xf32>
  %w = tosa.mul %y, %cnt, %shift : (tensor<?x?x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// As many columns as a call has tokens.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %rows = arith.muli %b, %n : index
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %o = tensor.empty(%rows, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tosa.reduce_max %j {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  %wide = tosa.mul %m, %f, %shift : (tensor<?x1xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %sum = tosa.reduce_sum %wide {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s = tosa.add %j, %sum : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %w = tensor.expand_shape %s [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// A choice for all rows by the first id.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %tok = tensor.extract %i[%c0, %c0] : tensor<?x?xi64>
  %k4 = arith.constant 4 : i64
  %is = arith.cmpi slt, %tok, %k4 : i64
  %d = tosa.add %y, %y : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %w = arith.select %is, %d, %y : tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// A column that the first id chooses.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %tok = tensor.extract %i[%c0, %c0] : tensor<?x?xi64>
  %ti = arith.index_cast %tok : i64 to index
  %o = arith.remui %ti, %c4 : index
  %sl = tensor.extract_slice %y[0, 0, %o] [%b, %n, 1] [1, 1, 1] : tensor<?x?x4xf32> to tensor<?x?x1xf32>
  %w = tosa.add %y, %sl : (tensor<?x?x4xf32>, tensor<?x?x1xf32>) -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// Positions in columns of a row.
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %rows = arith.muli %b, %n : index
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %j = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %e = tensor.expand_shape %j [[0], [1, 2]] output_shape [%rows, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %ro = block.rope %e {heads = 1, form = #block.rope<style = half, dim = 2>} : tensor<?x2x2xf32>
  %s = tensor.collapse_shape %ro [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %w = tensor.expand_shape %s [[0, 1], [2]] output_shape [%b, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// Numbers of tokens in a call as positions.
#own2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%b, %n) : tensor<?x?xi64>
  %pos = linalg.generic {indexing_maps = [#own2], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<?x?xi64>) {
  ^bb0(%out: i64):
    %r1 = linalg.index 1 : index
    %v = arith.index_cast %r1 : index to i64
    linalg.yield %v : i64
  } -> tensor<?x?xi64>
  %e = block.embedding %pos in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %w = tosa.add %e, %y : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// Numbers of tokens in a call as values.
#own3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%b, %n) : tensor<?x?x4xf32>
  %num = linalg.generic {indexing_maps = [#own3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<?x?x4xf32>) {
  ^bb0(%out: f32):
    %r1 = linalg.index 1 : index
    %v = arith.index_cast %r1 : index to i64
    %vf = arith.sitofp %v : i64 to f32
    linalg.yield %vf : f32
  } -> tensor<?x?x4xf32>
  %w = block.sdpa %y, %y, %num {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}

// -----

// Numbers of tokens in a call out of a layer.
#own3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%i: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]}, %t: tensor<9x4xf32> {block.param = "t"}) -> (tensor<?x?x9xf32> {block.output = "logits"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %x = block.embedding %i in %t : tensor<?x?xi64>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<?x?x4xf32>
  %o = tensor.empty(%b, %n) : tensor<?x?x4xf32>
  %num = linalg.generic {indexing_maps = [#own3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<?x?x4xf32>) {
  ^bb0(%out: f32):
    %r1 = linalg.index 1 : index
    %v = arith.index_cast %r1 : index to i64
    %vf = arith.sitofp %v : i64 to f32
    linalg.yield %vf : f32
  } -> tensor<?x?x4xf32>
  %l = block.layer "h" at 0 -> tensor<?x?x4xf32> {
    block.yield %num : tensor<?x?x4xf32>
  }
  %w = tosa.add %l, %y : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %z = block.head %w, %t : tensor<?x?x4xf32> -> tensor<?x?x9xf32>
  return %z : tensor<?x?x9xf32>
}
