func.func @main(%x: tensor<1x5x64xbf16> {block.input = "x"}, %c: tensor<32x64xi8> {block.param = "c", block.init = #block.init<kind = uniform, std = 70.0>},
                %s: tensor<32x1xf32> {block.param = "s", block.init = #block.init<kind = uniform, mean = 0.01, std = 0.003>}) -> (tensor<1x5x32xbf16> {block.output = "y"}) {
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : tensor<32x64xi8>, tensor<32x1xf32> -> tensor<32x64xbf16>
  %y = block.linear %x, %w : (tensor<1x5x64xbf16>, tensor<32x64xbf16>) -> tensor<1x5x32xbf16>
  return %y : tensor<1x5x32xbf16>
}
