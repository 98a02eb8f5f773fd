func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %w: tensor<1x1x4xf32> {block.param = "w"}) -> tensor<1x?x4xf32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %e = math.exp %x : tensor<1x?x4xf32>
  %s = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x?x4xf32>) -> tensor<1x?x1xf32>
  %r = tosa.reciprocal %s : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %n = tosa.mul %e, %r, %zero : (tensor<1x?x4xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<1x?x4xf32>
  %m = tosa.mul %n, %w, %zero : (tensor<1x?x4xf32>, tensor<1x1x4xf32>, tensor<1xi8>) -> tensor<1x?x4xf32>
  %y = block.sdpa %m, %m, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}
