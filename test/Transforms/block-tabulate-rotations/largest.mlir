// A table of 4194304 elements is the largest that is made.
// RUN: block-opt %s --block-tabulate-rotations -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
func.func @largest(%x: tensor<1x131072x64xf32>) -> tensor<1x131072x64xf32> {
  // CHECK: largest.mlir:[[@LINE+1]]:8: remark: [Passed] block.rope | Category:block-tabulate-rotations | Function=largest | Remark="rotated by a table of its positions", positions=131072
  %a = block.rope %x {form = #block.rope<style = half, dim = 64>, heads = 1 : i64} : tensor<1x131072x64xf32> -> tensor<1x131072x64xf32>
  return %a : tensor<1x131072x64xf32>
}
