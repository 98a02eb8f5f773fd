// Why angles are computed where they are.
// RUN: block-opt %s --block-tabulate-rotations -split-input-file -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q block.rotate %t
func.func @later(%x: tensor<2x?x12xf32>) -> tensor<2x?x12xf32> {
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-tabulate-rotations | Function=later | Reason="dynamic-shape: the positions are known later"
  %a = block.rope %x {form = #block.rope<style = half, dim = 2>, heads = 2 : i64} : tensor<2x?x12xf32> -> tensor<2x?x12xf32>
  return %a : tensor<2x?x12xf32>
}

// -----

func.func @offset(%x: tensor<2x3x12xf32>, %from: index) -> tensor<2x3x12xf32> {
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-tabulate-rotations | Function=offset | Reason="dynamic-shape: the positions are known later"
  %a = block.rope %x offset %from {form = #block.rope<style = half, dim = 2>, heads = 2 : i64} : (tensor<2x3x12xf32>, index) -> tensor<2x3x12xf32>
  return %a : tensor<2x3x12xf32>
}

// -----

func.func @large(%x: tensor<1x262144x64xf32>) -> tensor<1x262144x64xf32> {
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-tabulate-rotations | Function=large | Reason="large-table: a table would have 8388608 elements"
  %a = block.rope %x {form = #block.rope<style = half, dim = 64>, heads = 1 : i64} : tensor<1x262144x64xf32> -> tensor<1x262144x64xf32>
  return %a : tensor<1x262144x64xf32>
}

// -----

// More elements than 64 bits count.
func.func @huge(%x: tensor<1x9223372036854775807x64xf32>) -> tensor<1x9223372036854775807x64xf32> {
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-tabulate-rotations | Function=huge | Reason="large-table: a table would have 18446744073709551615 elements"
  %a = block.rope %x {form = #block.rope<style = half, dim = 64>, heads = 1 : i64} : tensor<1x9223372036854775807x64xf32> -> tensor<1x9223372036854775807x64xf32>
  return %a : tensor<1x9223372036854775807x64xf32>
}
