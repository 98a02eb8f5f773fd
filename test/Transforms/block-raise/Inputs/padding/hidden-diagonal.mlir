func.func @main(%q: tensor<2x3x8xf32> {block.input = "q"}, %k: tensor<2x3x8xf32> {block.input = "k"}, %v: tensor<2x3x8xf32> {block.input = "v"}, %lengths: tensor<2xi64> {block.input = "mask", raise.padding}) -> tensor<2x3x8xf32> {
  %dots = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x3xf32>
  %keys = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %counts = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<2xi64>) -> tensor<2x3xi64>
  %real = stablehlo.compare LT, %keys, %counts : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %number = stablehlo.convert %real : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %each = stablehlo.broadcast_in_dim %real, dims = [0, 2] : (tensor<2x3xi1>) -> tensor<2x3x3xi1>
  %low = stablehlo.constant dense<-3.0e38> : tensor<2x3x3xf32>
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<2x3x3xf32>
  %nought = stablehlo.constant dense<0.0> : tensor<2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %table = stablehlo.constant dense<[[[false, true, true], [true, false, true], [true, true, false]]]> : tensor<1x3x3xi1>
  %shown = stablehlo.broadcast_in_dim %table, dims = [0, 1, 2] : (tensor<1x3x3xi1>) -> tensor<2x3x3xi1>
  %both = stablehlo.and %shown, %each : tensor<2x3x3xi1>
  %s0 = stablehlo.select %both, %dots, %low : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %minf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %mx = stablehlo.reduce(%s0 init: %minf) applies stablehlo.maximum across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %mxb = stablehlo.broadcast_in_dim %mx, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %s = stablehlo.subtract %s0, %mxb : tensor<2x3x3xf32>
  %e = stablehlo.exponential %s : tensor<2x3x3xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x3x3xf32>
  %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>

  return %y : tensor<2x3x8xf32>
}
