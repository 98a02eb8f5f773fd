// One layer on isotropic rows: the first branch adds FACTOR times a random
// rotation of x, the second is a GELU MLP whose update is much larger than x.
func.func @main(
    %x: tensor<512x1x256xf32> {block.input = "hidden_states", block.init = #block.init<kind = normal, std = 1.0>},
    %q: tensor<256x256xf32> {block.param = "q"},
    %v: tensor<256x256xf32> {block.param = "v"},
    %up: tensor<1024x256xf32> {block.param = "up"},
    %down: tensor<256x1024xf32> {block.param = "down", block.init = #block.init<kind = normal, std = 31.25>})
    -> (tensor<512x1x256xf32> {block.output = "hidden_states"}) {
  %y = block.layer "0" at 0 -> tensor<512x1x256xf32> {
    %a = block.attention %x q %q k %q v %v {heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 1.250000e-01>} : (tensor<512x1x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<512x1x256xf32>
    %s = block.scale %a {factor = FACTOR : f64} : (tensor<512x1x256xf32>) -> tensor<512x1x256xf32>
    %h = block.residual %x, %s : (tensor<512x1x256xf32>, tensor<512x1x256xf32>) -> tensor<512x1x256xf32>
    %n = block.norm %h {form = #block.norm<kind = rms, eps = 1.000000e-06>} : (tensor<512x1x256xf32>) -> tensor<512x1x256xf32>
    %f = block.mlp %n up %up down %down {activation = #block.activation<gelu_erf>} : (tensor<512x1x256xf32>, tensor<1024x256xf32>, tensor<256x1024xf32>) -> tensor<512x1x256xf32>
    %r = block.residual %h, %f : (tensor<512x1x256xf32>, tensor<512x1x256xf32>) -> tensor<512x1x256xf32>
    block.yield %r : tensor<512x1x256xf32>
  }
  return %y : tensor<512x1x256xf32>
}
