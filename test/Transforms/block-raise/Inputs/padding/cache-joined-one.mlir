func.func @main(%lengths: tensor<2xi64> {block.input = "lengths", raise.padding}, %x: tensor<2x1x16xf32> {block.input = "x"}, %pos: tensor<i32> {block.input = "pos"}, %other: tensor<i32> {block.input = "other"}, %ks: tensor<2x4x2x4xf32> {block.input = "ks"}, %vs: tensor<2x4x2x4xf32> {block.input = "vs"}, %wq: tensor<16x16xf32> {block.param = "wq"}, %wk: tensor<16x8xf32> {block.param = "wk"}, %wv: tensor<16x8xf32> {block.param = "wv"}, %wo: tensor<16x16xf32> {block.param = "wo"}) -> (tensor<2x1x16xf32> {block.output = "y"}, tensor<2x5x2x4xf32> {block.output = "keys"}, tensor<2x5x2x4xf32> {block.output = "values"}) {
  %q0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x1x16xf32>, tensor<16x16xf32>) -> tensor<2x1x16xf32>
  %k0 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x1x16xf32>, tensor<16x8xf32>) -> tensor<2x1x8xf32>
  %v0 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x1x16xf32>, tensor<16x8xf32>) -> tensor<2x1x8xf32>
  %qh = stablehlo.reshape %q0 : (tensor<2x1x16xf32>) -> tensor<2x1x4x4xf32>
  %qt = stablehlo.transpose %qh, dims = [0, 2, 1, 3] : (tensor<2x1x4x4xf32>) -> tensor<2x4x1x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %k1 = stablehlo.reshape %k0 : (tensor<2x1x8xf32>) -> tensor<2x1x2x4xf32>
  %k3 = stablehlo.concatenate %ks, %k1, dim = 1 : (tensor<2x4x2x4xf32>, tensor<2x1x2x4xf32>) -> tensor<2x5x2x4xf32>
  %v1 = stablehlo.reshape %v0 : (tensor<2x1x8xf32>) -> tensor<2x1x2x4xf32>
  %v3 = stablehlo.concatenate %vs, %v1, dim = 1 : (tensor<2x4x2x4xf32>, tensor<2x1x2x4xf32>) -> tensor<2x5x2x4xf32>
  %k4 = stablehlo.transpose %k3, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
  %k5 = stablehlo.broadcast_in_dim %k4, dims = [0, 1, 3, 4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x2x5x4xf32>
  %k6 = stablehlo.reshape %k5 : (tensor<2x2x2x5x4xf32>) -> tensor<2x4x5x4xf32>
  %v4 = stablehlo.transpose %v3, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
  %v5 = stablehlo.broadcast_in_dim %v4, dims = [0, 1, 3, 4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x2x5x4xf32>
  %v6 = stablehlo.reshape %v5 : (tensor<2x2x2x5x4xf32>) -> tensor<2x4x5x4xf32>
  %dots = stablehlo.dot_general %qt, %k6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x1x4xf32>, tensor<2x4x5x4xf32>) -> tensor<2x4x1x5xf32>
  %half = stablehlo.constant dense<5.0e-01> : tensor<2x4x1x5xf32>
  %s = stablehlo.multiply %dots, %half : tensor<2x4x1x5xf32>
  %lj = stablehlo.iota dim = 1 : tensor<2x5xi64>
  %lc = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x5xi64>
  %lr = stablehlo.compare LT, %lj, %lc : (tensor<2x5xi64>, tensor<2x5xi64>) -> tensor<2x5xi1>
  %lw = stablehlo.broadcast_in_dim %lr, dims = [0, 3] : (tensor<2x5xi1>) -> tensor<2x4x1x5xi1>
  %lfill = stablehlo.constant dense<0xFF800000> : tensor<2x4x1x5xf32>
  %lm = stablehlo.select %lw, %s, %lfill : tensor<2x4x1x5xi1>, tensor<2x4x1x5xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%lm init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x1x5xf32>, tensor<f32>) -> tensor<2x4x1xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x5xf32>
  %below = stablehlo.subtract %lm, %tops : tensor<2x4x1x5xf32>
  %e = stablehlo.exponential %below : tensor<2x4x1x5xf32>
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %start) applies stablehlo.add across dimensions = [3] : (tensor<2x4x1x5xf32>, tensor<f32>) -> tensor<2x4x1xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x5xf32>
  %p = stablehlo.divide %e, %sums : tensor<2x4x1x5xf32>
  %o = stablehlo.dot_general %p, %v6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x1x5xf32>, tensor<2x4x5x4xf32>) -> tensor<2x4x1x4xf32>
  %ot = stablehlo.transpose %o, dims = [0, 2, 1, 3] : (tensor<2x4x1x4xf32>) -> tensor<2x1x4x4xf32>
  %or = stablehlo.reshape %ot : (tensor<2x1x4x4xf32>) -> tensor<2x1x16xf32>
  %y = stablehlo.dot_general %or, %wo, contracting_dims = [2] x [0] : (tensor<2x1x16xf32>, tensor<16x16xf32>) -> tensor<2x1x16xf32>
  return %y, %k3, %v3 : tensor<2x1x16xf32>, tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>
}
