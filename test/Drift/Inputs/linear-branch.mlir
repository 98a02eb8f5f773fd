// A serial layer whose first branch is neither attention nor MLP.
module {
  func.func @main(%ids: tensor<4x8xi64> {block.input = "input_ids"}, %e: tensor<31x16xf32> {block.param = "e"},
      %w: tensor<16x16xf32> {block.param = "w"}, %u: tensor<32x16xf32> {block.param = "u"},
      %d: tensor<16x32xf32> {block.param = "d"}) -> (tensor<4x8x31xf32> {block.output = "logits"}) {
    %0 = block.embedding %ids in %e : tensor<4x8xi64>, tensor<31x16xf32>
    %1 = block.layer "mixer" at 0 -> tensor<4x8x16xf32> {
      %2 = block.linear %0, %w : tensor<4x8x16xf32>
      %3 = block.residual %0, %2 : tensor<4x8x16xf32>
      %4 = block.mlp %3 up %u down %d {activation = #block.activation<silu>} : tensor<4x8x16xf32>, tensor<32x16xf32>
      %5 = block.residual %3, %4 : tensor<4x8x16xf32>
      block.yield %5 : tensor<4x8x16xf32>
    }
    %6 = block.head %1, %e : tensor<4x8x16xf32> -> tensor<4x8x31xf32>
    return %6 : tensor<4x8x31xf32>
  }
}
