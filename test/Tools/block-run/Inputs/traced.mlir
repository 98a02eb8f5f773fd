// All numbers are constants, so that sizes can be told by head: x is 2, identity
// matrices project, attention over equal rows gives back its input.
func.func @main(
    %x: tensor<1x3x2xf32> {block.input = "hidden_states", block.init = #block.init<kind = constant, mean = 2.0>},
    %half: tensor<2x2xf32> {block.param = "w", block.init = #block.init<kind = constant, mean = 0.5>},
    %one: tensor<2x2xf32> {block.param = "one", block.init = #block.init<kind = constant, mean = 1.0>})
    -> (tensor<1x3x2xf32> {block.output = "hidden_states"}) {
  %a = block.layer "serial" at 0 -> tensor<1x3x2xf32> {
    // Adds half of 2, then of 2/3 of 3.
    %s = block.attention %x q %half k %half v %half o %half {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %h = block.residual %x, %s {branch_scales = [0.5]} : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %f = block.mlp %h up %half down %half {activation = #block.activation<relu>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %g = block.scale %f {factor = -0.66666666666666663 : f64} : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %r = block.residual %h, %g {branch_scales = [-1.0]} : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    block.yield %r : tensor<1x3x2xf32>
  }
  %b = block.layer "mlp alone" at 1 -> tensor<1x3x2xf32> {
    %f = block.mlp %a up %one down %one {activation = #block.activation<relu>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %r = block.residual %a, %f {branch_scales = [0.5]} : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    block.yield %r : tensor<1x3x2xf32>
  }
  %c = block.layer "no residual" at 2 -> tensor<1x3x2xf32> {
    %f = block.mlp %b up %half gate %half down %one {activation = #block.activation<identity>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %n = block.scale %f {factor = 0.066666666666666666 : f64} : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    block.yield %n : tensor<1x3x2xf32>
  }
  %d = block.layer "two attentions" at 7 -> tensor<1x3x2xf32> {
    %s = block.attention %c q %half k %half v %half o %half {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %t = block.attention %c q %one k %half v %half o %half {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<1x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
    %r = block.residual %c, %s, %t : (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    block.yield %r : tensor<1x3x2xf32>
  }
  return %d : tensor<1x3x2xf32>
}
