func.func @main(%x: tensor<1x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %w: tensor<1x1x4xf32> {block.param = "w"}) -> tensor<1x?x4xf32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %e = math.exp %x : tensor<1x?x4xf32>
  %s = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x?x4xf32>) -> tensor<1x?x1xf32>
  %r = tosa.reciprocal %s : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %n = tosa.mul %e, %r, %zero : (tensor<1x?x4xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<1x?x4xf32>
  %m = tosa.mul %n, %w, %zero : (tensor<1x?x4xf32>, tensor<1x1x4xf32>, tensor<1xi8>) -> tensor<1x?x4xf32>
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c1 : tensor<1x?x4xf32>
  %p = tensor.expand_shape %m [[0], [1], [2, 3]] output_shape [1, %t, 2, 2] : tensor<1x?x4xf32> into tensor<1x?x2x2xf32>
  %h = tensor.extract_slice %p[0, 0, 1, 0] [1, %t, 1, 2] [1, 1, 1, 1] : tensor<1x?x2x2xf32> to tensor<1x?x1x2xf32>
  %g = tosa.mul %p, %h, %zero : (tensor<1x?x2x2xf32>, tensor<1x?x1x2xf32>, tensor<1xi8>) -> tensor<1x?x2x2xf32>
  %k = tensor.collapse_shape %g [[0], [1], [2, 3]] : tensor<1x?x2x2xf32> into tensor<1x?x4xf32>
  %y = block.sdpa %m, %k, %x {heads = 2, scores = #block.scores<scale = 0.7, causal = true>} : tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}
