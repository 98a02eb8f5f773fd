// Steps on the rows of all sequences, one behind the other, are steps on rows, if these are divided as the tokens are.
// RUN: split-file %s %t
// RUN: block-opt %t/taken.mlir --block-add-caches -o %t.cached.mlir
// RUN: FileCheck %s < %t.cached.mlir
// CHECK: block.cache_append
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
// RUN: block-run %t.cached.mlir --engine=reference --seed=3 --dims=batch=2 --steps=5 --step-tokens=2 | FileCheck %s --check-prefix=STEPS
// STEPS: PASS logits
// RUN: not block-opt %t/refused.mlir --split-input-file --block-add-caches 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: block-add-caches: expected blocks alone, got 'tensor.expand_shape', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tosa.add', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tosa.reduce_max', which may look at more than a row
// REFUSED: error: block-add-caches: expected blocks alone, got 'tensor.collapse_shape', which may look at more than a row

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
