// Token ids to logits, with types, in one serial layer.
func.func @main(
    %ids: tensor<2x5xi64> {block.input = "input_ids"},
    %types: tensor<2x5xi64> {block.input = "token_type_ids"},
    %wte: tensor<11x8xf32> {block.param = "wte.weight", block.init = #block.init<kind = normal, mean = 0.5, std = 1.0>},
    %type: tensor<3x8xf32> {block.param = "type.weight"},
    %g: tensor<8xf32> {block.param = "norm.weight", block.init = #block.init<kind = constant, mean = 1.5>},
    %q: tensor<8x8xf32> {block.param = "q.weight"},
    %k: tensor<8x8xf32> {block.param = "k.weight"},
    %v: tensor<8x8xf32> {block.param = "v.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight", block.init = #block.init<kind = uniform, std = 0.5>},
    %down: tensor<8x16xf32> {block.param = "down.weight"})
    -> (tensor<2x5x11xf32> {block.output = "logits"}) {
  %x = block.embedding %ids in %wte types %types type_table %type : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x5xi64>, tensor<3x8xf32>) -> tensor<2x5x8xf32>
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %n = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 1.000000e-05>} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %a = block.attention %n q %q k %k v %v o %o {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %h = block.residual %x, %a : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %f = block.mlp %h up %up down %down {activation = #block.activation<gelu_tanh>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
    %r = block.residual %h, %f : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %r : tensor<2x5x8xf32>
  }
  %l = block.head %y, %wte : (tensor<2x5x8xf32>, tensor<11x8xf32>) -> tensor<2x5x11xf32>
  return %l : tensor<2x5x11xf32>
}
