// The first branch adds half of x: without v and o, and with one position, an
// attention hands on what it reads.
func.func @main(
    %x: tensor<8x1x16xf32> {block.input = "hidden_states"},
    %q: tensor<16x16xf32> {block.param = "q"},
    %up: tensor<64x16xf32> {block.param = "up"},
    %down: tensor<16x64xf32> {block.param = "down"})
    -> (tensor<8x1x16xf32> {block.output = "hidden_states"}) {
  %y = block.layer "0" at 0 -> tensor<8x1x16xf32> {
    %a = block.attention %x q %q k %q {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 2.500000e-01>} : (tensor<8x1x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<8x1x16xf32>
    %s = block.scale %a {factor = 5.000000e-01 : f64} : (tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    %h = block.residual %x, %s : (tensor<8x1x16xf32>, tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    %n = block.norm %h {form = #block.norm<kind = rms, eps = 1.000000e-06>} : (tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    %f = block.mlp %n up %up down %down {activation = #block.activation<silu>} : (tensor<8x1x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<8x1x16xf32>
    %r = block.residual %h, %f : (tensor<8x1x16xf32>, tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    block.yield %r : tensor<8x1x16xf32>
  }
  return %y : tensor<8x1x16xf32>
}
