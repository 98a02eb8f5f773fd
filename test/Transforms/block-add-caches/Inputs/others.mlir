func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]}) -> tensor<1x?x4xf32> {
  %e = tosa.reverse %x {axis = 1 : i32} : (tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  %y = block.sdpa %e, %e, %e {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

// -----

func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]}) -> tensor<1x?x4xf32> {
  %y = block.residual %x, %x : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

// -----

func.func @main(%x: tensor<1x?x4xf32> {block.input = "x", block.dims = ["seq"]}) -> tensor<1x?x4xf32> {
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

// -----

func.func @main(%x: tensor<1x5x4xf32> {block.input = "hidden_states"}, %b: tensor<1x1x1x5xf32> {block.input = "b"}) -> tensor<1x5x4xf32> {
  %y = block.sdpa %x, %x, %x score_bias %b {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>, tensor<1x1x1x5xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%x: tensor<1x5x4xf32> {block.input = "hidden_states"}, %p: tensor<1x3x4xf32> {block.input = "p"}) -> tensor<1x5x4xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %p, %c1 : tensor<1x3x4xf32>
  %r = block.rope %x offset %n {form = #block.rope<style = half, dim = 2>, heads = 2} : tensor<1x5x4xf32>
  %y = block.sdpa %r, %r, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%i: tensor<1x5xi64> {block.input = "input_ids"}, %t: tensor<9x4xf32> {block.param = "t"}) -> tensor<1x5x4xf32> {
  %x = block.embedding %i in %t positions %t {pad_id = 1 : i64} : tensor<1x5xi64>, tensor<9x4xf32>, tensor<9x4xf32>
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%x: tensor<1x5x4xf32> {block.input = "hidden_states"}, %t: tensor<1x5x4xf32> {block.param = "positions"}) -> tensor<1x5x4xf32> {
  %p = block.residual %x, %t : tensor<1x5x4xf32>
  %y = block.sdpa %p, %p, %p {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]}) -> tensor<1x?x4xf32> {
  %e = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<1x?x4xf32>) -> tensor<1x1x4xf32>
  %s = tosa.add %x, %e : (tensor<1x?x4xf32>, tensor<1x1x4xf32>) -> tensor<1x?x4xf32>
  %y = block.sdpa %s, %s, %s {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

// -----

func.func @main(%x: tensor<1x5x4xf32> {block.input = "hidden_states"}, %t: tensor<1x5x4xf32> {block.param = "t"}) -> tensor<1x5x4xf32> {
  %s = tosa.add %x, %t : (tensor<1x5x4xf32>, tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %y = block.sdpa %s, %s, %s {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

// Rows of a group of tokens become columns.
func.func @main(%x: tensor<1x6x4xf32> {block.input = "hidden_states"}) -> tensor<1x6x4xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [1, 3, 2, 4] : tensor<1x6x4xf32> into tensor<1x3x2x4xf32>
  %c = tensor.collapse_shape %e [[0], [1, 2], [3]] : tensor<1x3x2x4xf32> into tensor<1x6x4xf32>
  %y = block.sdpa %c, %c, %c {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x6x4xf32>
  return %y : tensor<1x6x4xf32>
}

// -----

func.func @main(%x: tensor<1x6x4xf32> {block.input = "hidden_states"}) -> tensor<1x3x4xf32> {
  %s = tensor.extract_slice %x[0, 3, 0] [1, 3, 4] [1, 1, 1] : tensor<1x6x4xf32> to tensor<1x3x4xf32>
  %y = block.sdpa %s, %s, %s {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x3x4xf32>
  return %y : tensor<1x3x4xf32>
}
