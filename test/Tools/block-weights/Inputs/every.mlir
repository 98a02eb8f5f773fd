func.func @main() {
  return
}
func.func @prepack(%w: tensor<2x4xf32> {block.param = "w"}, %g: tensor<4xf32> {block.param = "g"}, %b: tensor<2xbf16> {block.param = "b"},
    %s: tensor<2x2xf16> {block.param = "s"})
    -> (tensor<4xf32> {block.output = "p.g"}, tensor<3xf16> {block.output = "p.splat"}, tensor<2x6xf32> {block.output = "p.concat"},
        tensor<8xf32> {block.output = "p.reshape"}, tensor<4x2xf32> {block.output = "p.transpose"}, tensor<2xf32> {block.output = "p.convert"},
        tensor<2x4xf32> {block.output = "p.gain"}, tensor<2x4xf32> {block.output = "p.gain1"}, tensor<2xf32> {block.output = "p.bias"},
        tensor<2xf16> {block.output = "p.bias0"}, tensor<2x4xf32> {block.output = "p.scale"}, tensor<4xf32> {block.output = "p.scale0"},
        tensor<2xf32> {block.output = "p.sums"}, tensor<2xf32> {block.output = "p.sum"}, tensor<2x2xf16> {block.output = "p.start"},
        tensor<2x2xf16> {block.output = "p.identity"}) {
  %splat = arith.constant dense<0.5> : tensor<3xf16>
  %slice = tensor.extract_slice %w[0, 1] [2, 2] [1, 2] : tensor<2x4xf32> to tensor<2x2xf32>
  %concat = tensor.concat dim(1) %w, %slice : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  %reshape = tensor.collapse_shape %w [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %empty = tensor.empty() : tensor<4x2xf32>
  %transpose = linalg.transpose ins(%w : tensor<2x4xf32>) outs(%empty : tensor<4x2xf32>) permutation = [1, 0]
  %convert = arith.extf %b : tensor<2xbf16> to tensor<2xf32>
  %gain = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %gain1 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-5, gamma_form = one_plus>} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %bias = block.fold_bias %w beta %g bias %b : (tensor<2x4xf32>, tensor<4xf32>, tensor<2xbf16>) -> tensor<2xf32>
  %bias0 = block.fold_bias %w beta %g : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf16>
  %scale = block.fold_scale %w by %b {factor = 2.0} : (tensor<2x4xf32>, tensor<2xbf16>) -> tensor<2x4xf32>
  %scale0 = block.fold_scale %g {factor = -1.0} : (tensor<4xf32>) -> tensor<4xf32>
  %sums = block.weight_sums %w : (tensor<2x4xf32>) -> tensor<2xf32>
  %sum = block.bias_sum %b, %b, %b : (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xf32>
  %start = block.reparam %s from %s {skip = 0.5, residual = 2.0} : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  %identity = block.reparam %s {skip = 0.5, residual = 2.0} : (tensor<2x2xf16>) -> tensor<2x2xf16>
  return %g, %splat, %concat, %reshape, %transpose, %convert, %gain, %gain1, %bias, %bias0, %scale, %scale0, %sums, %sum, %start, %identity
      : tensor<4xf32>, tensor<3xf16>, tensor<2x6xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>,
        tensor<2xf16>, tensor<2x4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf16>, tensor<2x2xf16>
}
