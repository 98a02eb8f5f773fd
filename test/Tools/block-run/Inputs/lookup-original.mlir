// Shows which table the ids index.
func.func @main(
    %ids: tensor<?x?xi64> {block.input = "input_ids", block.dims = ["batch", "seq"]},
    %wte: tensor<50x1xf32> {block.param = "wte"}) -> (tensor<?x?xi64> {block.output = "ids"}) {
  %x = block.embedding %ids in %wte : (tensor<?x?xi64>, tensor<50x1xf32>) -> tensor<?x?x1xf32>
  return %ids : tensor<?x?xi64>
}
