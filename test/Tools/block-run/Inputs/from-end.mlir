// What `x[:, i]` and `w[j]` of other frameworks become: indices below 0 count
// from the end, in TOSA and in the scalars of torch-mlir.
#map = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<8x4xf32> {block.input = "x"},
                %i: tensor<3xi64> {block.input = "i"},
                %j: tensor<3xi64> {block.input = "j"})
    -> (tensor<3x4xf32> {block.output = "picked"}, tensor<3x4xf32> {block.output = "scalars"}) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi64>}> : () -> tensor<1xi64>
  %size = "tosa.const"() <{values = dense<8> : tensor<1xi64>}> : () -> tensor<1xi64>
  %below = tosa.greater %zero, %i : (tensor<1xi64>, tensor<3xi64>) -> tensor<3xi1>
  %sum = tosa.add %i, %size : (tensor<3xi64>, tensor<1xi64>) -> tensor<3xi64>
  %at = tosa.select %below, %sum, %i : (tensor<3xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %empty = tensor.empty() : tensor<3x4xf32>
  %picked = linalg.generic {indexing_maps = [#rows, #map], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<3xi64>) outs(%empty : tensor<3x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %r = arith.index_cast %row : i64 to index
    %c = linalg.index 1 : index
    %e = tensor.extract %x[%r, %c] : tensor<8x4xf32>
    linalg.yield %e : f32
  } -> tensor<3x4xf32>
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %scalars = linalg.generic {indexing_maps = [#rows, #map], iterator_types = ["parallel", "parallel"]}
      ins(%j : tensor<3xi64>) outs(%empty : tensor<3x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %isBelow = arith.cmpi slt, %row, %c0 : i64
    %wrapped = arith.addi %row, %c8 : i64
    %chosen = arith.select %isBelow, %wrapped, %row : i64
    %r = arith.index_cast %chosen : i64 to index
    %c = linalg.index 1 : index
    %e = tensor.extract %x[%r, %c] : tensor<8x4xf32>
    linalg.yield %e : f32
  } -> tensor<3x4xf32>
  return %picked, %scalars : tensor<3x4xf32>, tensor<3x4xf32>
}
