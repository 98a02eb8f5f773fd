func.func @main(%x: tensor<2x6x8xf32> {block.input = "x"}, %u: tensor<2x6x8xf32> {block.input = "u"}, %la: tensor<2xi64> {block.input = "la", raise.padding}, %wq: tensor<8x8xf32> {block.param = "wq"}, %wk: tensor<8x8xf32> {block.param = "wk"}, %wv: tensor<8x8xf32> {block.param = "wv"}, %wo: tensor<8x8xf32> {block.param = "wo"}) -> tensor<2x6x8xf32> {
  %keys = stablehlo.iota dim = 1 : tensor<2x6xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %q1 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %k1 = stablehlo.dot_general %u, %wk, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %v1 = stablehlo.dot_general %u, %wv, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %dots1 = stablehlo.dot_general %q1, %k1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %counts1 = stablehlo.broadcast_in_dim %la, dims = [0] : (tensor<2xi64>) -> tensor<2x6xi64>
  %real1 = stablehlo.compare LT, %keys, %counts1 : (tensor<2x6xi64>, tensor<2x6xi64>) -> tensor<2x6xi1>
  %each1 = stablehlo.broadcast_in_dim %real1, dims = [0, 2] : (tensor<2x6xi1>) -> tensor<2x6x6xi1>
  %tab1 = stablehlo.constant dense<[[[true, false, false, false, false, false], [true, true, false, false, false, false], [false, true, true, false, false, false], [false, false, true, true, false, false], [false, false, false, true, true, false], [false, false, false, false, true, true]]]> : tensor<1x6x6xi1>
  %shown1 = stablehlo.broadcast_in_dim %tab1, dims = [0, 1, 2] : (tensor<1x6x6xi1>) -> tensor<2x6x6xi1>
  %both1 = stablehlo.and %shown1, %shown1 : tensor<2x6x6xi1>
  %lo1 = stablehlo.constant dense<-3.0e38> : tensor<2x6x6xf32>
  %s01 = stablehlo.select %both1, %dots1, %lo1 : tensor<2x6x6xi1>, tensor<2x6x6xf32>
  %mx1 = stablehlo.reduce(%s01 init: %minf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
  %mxb1 = stablehlo.broadcast_in_dim %mx1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %s1 = stablehlo.subtract %s01, %mxb1 : tensor<2x6x6xf32>
  %e1 = stablehlo.exponential %s1 : tensor<2x6x6xf32>
  %sum1 = stablehlo.reduce(%e1 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
  %all1 = stablehlo.broadcast_in_dim %sum1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p1 = stablehlo.divide %e1, %all1 : tensor<2x6x6xf32>
  %y1 = stablehlo.dot_general %p1, %v1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %o1 = stablehlo.dot_general %y1, %wo, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %r1 = stablehlo.add %x, %o1 : tensor<2x6x8xf32>
  return %r1 : tensor<2x6x8xf32>
}
