// An attention that reads two norms of the stream.
func.func @main(%ids: tensor<8x8xi64> {block.input = "input_ids"}, %e: tensor<31x16xf32> {block.param = "e"},
    %g: tensor<16xf32> {block.param = "g"}, %h: tensor<16xf32> {block.param = "h"},
    %o: tensor<16x16xf32> {block.param = "o"}, %u: tensor<32x16xf32> {block.param = "u"},
    %d: tensor<16x32xf32> {block.param = "d"}) -> (tensor<8x8x31xf32> {block.output = "logits"}) {
  %0 = block.embedding %ids in %e : tensor<8x8xi64>, tensor<31x16xf32>
  %1 = block.layer "layer" at 0 -> tensor<8x8x16xf32> {
    %2 = block.norm %0 gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<8x8x16xf32>
    %3 = block.norm %0 gamma %h {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<8x8x16xf32>
    %4 = block.sdpa %2, %3, %3 {heads = 1, scores = #block.scores<scale = 0.25, causal = true>}
        : (tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %5 = block.linear %4, %o : tensor<8x8x16xf32>
    %6 = block.residual %0, %5 : tensor<8x8x16xf32>
    %7 = block.norm %6 gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<8x8x16xf32>
    %8 = block.mlp %7 up %u down %d {activation = #block.activation<silu>} : tensor<8x8x16xf32>, tensor<32x16xf32>
    %9 = block.residual %6, %8 : tensor<8x8x16xf32>
    block.yield %9 : tensor<8x8x16xf32>
  }
  %10 = block.head %1, %e : tensor<8x8x16xf32> -> tensor<8x8x31xf32>
  return %10 : tensor<8x8x31xf32>
}
