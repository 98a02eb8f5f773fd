// Weights that are only moved; of `cut` a row is never read.
func.func @main(%x: tensor<1x2x3xf32> {block.input = "hidden_states"},
    %qkv: tensor<3x8xbf16> {block.param = "qkv"},
    %heads: tensor<2x3x2x3xbf16> {block.param = "heads"},
    %narrow: tensor<3xbf16> {block.param = "narrow"},
    %cut: tensor<4x3xbf16> {block.param = "cut"})
    -> (tensor<6x3xbf16>, tensor<2x3xbf16>, tensor<4x3xbf16>, tensor<8x3xbf16>, tensor<3xf32>, tensor<3x3xbf16>) {
  %empty = tensor.empty() : tensor<8x3xbf16>
  %t = linalg.transpose ins(%qkv : tensor<3x8xbf16>) outs(%empty : tensor<8x3xbf16>) permutation = [1, 0]
  %a = tensor.extract_slice %t[2, 0] [6, 3] [1, 1] : tensor<8x3xbf16> to tensor<6x3xbf16>
  %b = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<8x3xbf16> to tensor<2x3xbf16>
  %q = tensor.extract_slice %heads[0, 0, 0, 0] [2, 1, 2, 3] [1, 1, 1, 1] : tensor<2x3x2x3xbf16> to tensor<2x2x3xbf16>
  %qm = tensor.collapse_shape %q [[0, 1], [2]] : tensor<2x2x3xbf16> into tensor<4x3xbf16>
  %kv = tensor.extract_slice %heads[0, 1, 0, 0] [2, 2, 2, 3] [1, 1, 1, 1] : tensor<2x3x2x3xbf16> to tensor<2x2x2x3xbf16>
  %kvm = tensor.collapse_shape %kv [[0, 1, 2], [3]] : tensor<2x2x2x3xbf16> into tensor<8x3xbf16>
  %wide = arith.extf %narrow : tensor<3xbf16> to tensor<3xf32>
  %c = tensor.extract_slice %cut[1, 0] [3, 3] [1, 1] : tensor<4x3xbf16> to tensor<3x3xbf16>
  return %a, %b, %qm, %kvm, %wide, %c
      : tensor<6x3xbf16>, tensor<2x3xbf16>, tensor<4x3xbf16>, tensor<8x3xbf16>, tensor<3xf32>, tensor<3x3xbf16>
}
