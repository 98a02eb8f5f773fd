func.func @main(%x: tensor<1x5x4xf32> {block.input = "x"}, %n: tensor<1xi64> {block.input = "past_lengths"}) -> (tensor<1x5x4xf32> {block.output = "y"}) {
  %y = block.sdpa %x, %x, %x past_lengths %n {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%x: tensor<1x5x4xf32> {block.input = "x"}, %n: tensor<1xi64> {block.input = "n"}) -> (tensor<1x5x4xf32> {block.output = "y"}) {
  %y = block.rope %x offset %n {form = #block.rope<style = half, dim = 2>, heads = 2} : (tensor<1x5x4xf32>, tensor<1xi64>) -> tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

func.func @main(%i: tensor<1x5xi64> {block.input = "input_ids"}, %n: tensor<1xi64> {block.input = "n"}, %t: tensor<9x4xf32> {block.input = "t"}, %p: tensor<9x4xf32> {block.input = "p"}) -> (tensor<1x5x4xf32> {block.output = "y"}) {
  %y = block.embedding %i in %t positions %p offset %n : (tensor<1x5xi64>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<1xi64>) -> tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}
