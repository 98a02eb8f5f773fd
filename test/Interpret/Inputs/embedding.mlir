// Five ids only, so that the pad is among them.
func.func @main(
    %ids: tensor<2x9xi64> {block.input = "input_ids"},
    %t: tensor<5x32xf32> {block.param = "tokens", block.init = #block.init<kind = normal>},
    %p: tensor<16x32xf32> {block.param = "positions", block.init = #block.init<kind = normal>}
) -> (tensor<2x9x32xf32> {block.output = "result"}) {
  %0 = block.embedding %ids in %t positions %p {pad_id = 1 : i64, scale = 5.5 : f64}
    : (tensor<2x9xi64>, tensor<5x32xf32>, tensor<16x32xf32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}
