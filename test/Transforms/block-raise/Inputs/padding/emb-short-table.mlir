func.func @main(%ids: tensor<2x6xi64> {block.input = "ids"}, %wt: tensor<11x8xf32> {block.param = "wt"}, %wp: tensor<4x8xf32> {block.param = "wp"}, %la: tensor<2xi64> {block.input = "la", raise.padding}, %wq: tensor<8x8xf32> {block.param = "wq"}, %wk: tensor<8x8xf32> {block.param = "wk"}, %wv: tensor<8x8xf32> {block.param = "wv"}, %wo: tensor<8x8xf32> {block.param = "wo"}) -> tensor<2x6x8xf32> {
  %keys = stablehlo.iota dim = 1 : tensor<2x6xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %ec = stablehlo.broadcast_in_dim %la, dims = [0] : (tensor<2xi64>) -> tensor<2x6xi64>
  %er = stablehlo.compare LT, %keys, %ec : (tensor<2x6xi64>, tensor<2x6xi64>) -> tensor<2x6xi1>
  %en = stablehlo.convert %er : (tensor<2x6xi1>) -> tensor<2x6xi64>
  %triangle = stablehlo.constant dense<[[true, true, true, true, true, true], [false, true, true, true, true, true], [false, false, true, true, true, true], [false, false, false, true, true, true], [false, false, false, false, true, true], [false, false, false, false, false, true]]> : tensor<6x6xi1>
  %before = stablehlo.broadcast_in_dim %triangle, dims = [1, 2] : (tensor<6x6xi1>) -> tensor<2x6x6xi1>
  %terms = stablehlo.broadcast_in_dim %en, dims = [0, 1] : (tensor<2x6xi64>) -> tensor<2x6x6xi64>
  %none = stablehlo.constant dense<0> : tensor<2x6x6xi64>
  %kept = stablehlo.select %before, %terms, %none : tensor<2x6x6xi1>, tensor<2x6x6xi64>
  %zi = stablehlo.constant dense<0> : tensor<i64>
  %count = stablehlo.reduce(%kept init: %zi) applies stablehlo.add across dimensions = [1] : (tensor<2x6x6xi64>, tensor<i64>) -> tensor<2x6xi64>
  %one = stablehlo.constant dense<1> : tensor<2x6xi64>
  %pp = stablehlo.subtract %count, %one : tensor<2x6xi64>
  %pos = "stablehlo.gather"(%wp, %pp) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x6xi64>) -> tensor<2x6x8xf32>
  %tok = "stablehlo.gather"(%wt, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<11x8xf32>, tensor<2x6xi64>) -> tensor<2x6x8xf32>
  %x = stablehlo.add %tok, %pos : tensor<2x6x8xf32>
  %q1 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %k1 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %v1 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %dots1 = stablehlo.dot_general %q1, %k1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %counts1 = stablehlo.broadcast_in_dim %la, dims = [0] : (tensor<2xi64>) -> tensor<2x6xi64>
  %real1 = stablehlo.compare LT, %keys, %counts1 : (tensor<2x6xi64>, tensor<2x6xi64>) -> tensor<2x6xi1>
  %each1 = stablehlo.broadcast_in_dim %real1, dims = [0, 2] : (tensor<2x6xi1>) -> tensor<2x6x6xi1>
  %tab1 = stablehlo.constant dense<[[[true, false, false, false, false, false], [true, true, false, false, false, false], [true, true, true, false, false, false], [true, true, true, true, false, false], [true, true, true, true, true, false], [true, true, true, true, true, true]]]> : tensor<1x6x6xi1>
  %shown1 = stablehlo.broadcast_in_dim %tab1, dims = [0, 1, 2] : (tensor<1x6x6xi1>) -> tensor<2x6x6xi1>
  %both1 = stablehlo.and %shown1, %each1 : tensor<2x6x6xi1>
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
