// What drops nothing any more is counted, and a function without such an op is said to have none.
// RUN: block-opt %s --block-remove-dropout -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not=remark:
// CHECK: remark: [Passed] {{.*}} | Category:block-remove-dropout | Function=trained | Remark="drops nothing", sites=1
// CHECK: remark: [Analysis] no-match | Category:block-remove-dropout | Function=served | Remark="found no op that drops elements"
func.func @trained(%x: tensor<1x3x4xf32>, %s: tensor<1xi64>) -> tensor<1x3x4xf32> {
  %d = block.dropout %x seed %s {form = #block.dropout<rate = 0.1>} : tensor<1x3x4xf32>
  return %d : tensor<1x3x4xf32>
}
func.func @served(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  return %x : tensor<1x3x4xf32>
}
