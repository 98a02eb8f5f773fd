// Hands its inputs back, so that a test can look at what was drawn.
func.func @main(
    %ids: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]},
    %n: tensor<?xi64> {block.input = "lengths", block.dims = ["batch"]},
    %m: tensor<?x?x4xf32> {block.input = "encoder_hidden_states", block.dims = ["batch", "encoder_seq"]},
    %mn: tensor<?xi64> {block.input = "encoder_lengths", block.dims = ["batch"]},
    %p: tensor<2x3x4xf32> {block.input = "past_key.0"},
    %mask: tensor<20xi1>,
    %wte: tensor<7x4xf32> {block.param = "wte", block.init = #block.init<kind = constant, mean = 0.25>})
    -> (tensor<?x?xi64> {block.output = "input_ids.out"}, tensor<?xi64> {block.output = "lengths.out"},
        tensor<?x?x4xf32> {block.output = "encoder_hidden_states.out"}, tensor<?xi64> {block.output = "encoder_lengths.out"},
        tensor<2x3x4xf32> {block.output = "past_key.0.out"}, tensor<20xi1> {block.output = "arg05.out"},
        tensor<7x4xf32> {block.output = "wte.out"}, tensor<?x?x4xf32>) {
  %x = block.embedding %ids in %wte : (tensor<?x?xi64>, tensor<7x4xf32>) -> tensor<?x?x4xf32>
  return %ids, %n, %m, %mn, %p, %mask, %wte, %x : tensor<?x?xi64>, tensor<?xi64>, tensor<?x?x4xf32>, tensor<?xi64>, tensor<2x3x4xf32>, tensor<20xi1>, tensor<7x4xf32>, tensor<?x?x4xf32>
}
