func.func @main(%lengths: tensor<2xi64> {block.input = "lengths", raise.padding}, %x: tensor<2x3x16xf32> {block.input = "x"}, %pos: tensor<i32> {block.input = "pos"}, %other: tensor<i32> {block.input = "other"}, %ks: tensor<2x2x4x4xf32> {block.input = "ks"}, %vs: tensor<2x2x4x4xf32> {block.input = "vs"}, %wq: tensor<16x16xf32> {block.param = "wq"}, %wk: tensor<16x8xf32> {block.param = "wk"}, %wv: tensor<16x8xf32> {block.param = "wv"}, %wo: tensor<16x16xf32> {block.param = "wo"}) -> (tensor<2x3x16xf32> {block.output = "y"}, tensor<2x2x7x4xf32> {block.output = "keys"}, tensor<2x2x7x4xf32> {block.output = "values"}) {
  %q0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x3x16xf32>, tensor<16x16xf32>) -> tensor<2x3x16xf32>
  %k0 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x3x16xf32>, tensor<16x8xf32>) -> tensor<2x3x8xf32>
  %v0 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x3x16xf32>, tensor<16x8xf32>) -> tensor<2x3x8xf32>
  %qh = stablehlo.reshape %q0 : (tensor<2x3x16xf32>) -> tensor<2x3x4x4xf32>
  %qt = stablehlo.transpose %qh, dims = [0, 2, 1, 3] : (tensor<2x3x4x4xf32>) -> tensor<2x4x3x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %k1 = stablehlo.reshape %k0 : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
  %k2 = stablehlo.transpose %k1, dims = [0, 2, 1, 3] : (tensor<2x3x2x4xf32>) -> tensor<2x2x3x4xf32>
  %k3 = stablehlo.concatenate %ks, %k2, dim = 2 : (tensor<2x2x4x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x7x4xf32>
  %v1 = stablehlo.reshape %v0 : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
  %v2 = stablehlo.transpose %v1, dims = [0, 2, 1, 3] : (tensor<2x3x2x4xf32>) -> tensor<2x2x3x4xf32>
  %v3 = stablehlo.concatenate %vs, %v2, dim = 2 : (tensor<2x2x4x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x7x4xf32>
  %k5 = stablehlo.broadcast_in_dim %k3, dims = [0, 1, 3, 4] : (tensor<2x2x7x4xf32>) -> tensor<2x2x2x7x4xf32>
  %k6 = stablehlo.reshape %k5 : (tensor<2x2x2x7x4xf32>) -> tensor<2x4x7x4xf32>
  %v5 = stablehlo.broadcast_in_dim %v3, dims = [0, 1, 3, 4] : (tensor<2x2x7x4xf32>) -> tensor<2x2x2x7x4xf32>
  %v6 = stablehlo.reshape %v5 : (tensor<2x2x2x7x4xf32>) -> tensor<2x4x7x4xf32>
  %dots = stablehlo.dot_general %qt, %k6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x3x4xf32>, tensor<2x4x7x4xf32>) -> tensor<2x4x3x7xf32>
  %half = stablehlo.constant dense<5.0e-01> : tensor<2x4x3x7xf32>
  %s = stablehlo.multiply %dots, %half : tensor<2x4x3x7xf32>
  %i = stablehlo.iota dim = 0 : tensor<3x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x7xi32>
  %from = stablehlo.constant dense<4> : tensor<3x7xi32>
  %own = stablehlo.add %i, %from : tensor<3x7xi32>
  %seen = stablehlo.compare LE, %j, %own : (tensor<3x7xi32>, tensor<3x7xi32>) -> tensor<3x7xi1>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [2, 3] : (tensor<3x7xi1>) -> tensor<2x4x3x7xi1>
  %fill = stablehlo.constant dense<0xFF800000> : tensor<2x4x3x7xf32>
  %masked = stablehlo.select %mask, %s, %fill : tensor<2x4x3x7xi1>, tensor<2x4x3x7xf32>
  %lj = stablehlo.iota dim = 1 : tensor<2x7xi64>
  %lc = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x7xi64>
  %lr = stablehlo.compare LT, %lj, %lc : (tensor<2x7xi64>, tensor<2x7xi64>) -> tensor<2x7xi1>
  %lw = stablehlo.broadcast_in_dim %lr, dims = [0, 3] : (tensor<2x7xi1>) -> tensor<2x4x3x7xi1>
  %lfill = stablehlo.constant dense<0xFF800000> : tensor<2x4x3x7xf32>
  %lm = stablehlo.select %lw, %masked, %lfill : tensor<2x4x3x7xi1>, tensor<2x4x3x7xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%lm init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x3x7xf32>, tensor<f32>) -> tensor<2x4x3xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2] : (tensor<2x4x3xf32>) -> tensor<2x4x3x7xf32>
  %below = stablehlo.subtract %lm, %tops : tensor<2x4x3x7xf32>
  %e = stablehlo.exponential %below : tensor<2x4x3x7xf32>
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %start) applies stablehlo.add across dimensions = [3] : (tensor<2x4x3x7xf32>, tensor<f32>) -> tensor<2x4x3xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x4x3xf32>) -> tensor<2x4x3x7xf32>
  %p = stablehlo.divide %e, %sums : tensor<2x4x3x7xf32>
  %o = stablehlo.dot_general %p, %v6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x3x7xf32>, tensor<2x4x7x4xf32>) -> tensor<2x4x3x4xf32>
  %ot = stablehlo.transpose %o, dims = [0, 2, 1, 3] : (tensor<2x4x3x4xf32>) -> tensor<2x3x4x4xf32>
  %or = stablehlo.reshape %ot : (tensor<2x3x4x4xf32>) -> tensor<2x3x16xf32>
  %y = stablehlo.dot_general %or, %wo, contracting_dims = [2] x [0] : (tensor<2x3x16xf32>, tensor<16x16xf32>) -> tensor<2x3x16xf32>
  return %y, %k3, %v3 : tensor<2x3x16xf32>, tensor<2x2x7x4xf32>, tensor<2x2x7x4xf32>
}
