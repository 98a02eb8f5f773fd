// One remark for each rewritten op, at its place, with the number of steps it
// became and of projections among them.
// RUN: block-opt %s --block-expand -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: block-opt %s --block-expand -o %t --remarks-filter='.*' --remark-format=yaml --remarks-output-file=%t.yaml
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml

func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.norm | Category:block-expand | Function=main | Remark="became the steps that define it", projections=0, steps=2
  %n = block.norm %x {form = #block.norm<kind = layer, eps = 0.0>} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.attention | Category:block-expand | Function=main | Remark="became the steps that define it", projections=4, steps=7
  %a = block.attention %n q %w k %w v %w o %w {heads = 2 : i64, kv_heads = 2 : i64, rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  // CHECK: remarks.mlir:[[@LINE+1]]:8: remark: [Passed] block.mlp | Category:block-expand | Function=main | Remark="became the steps that define it", projections=3, steps=4
  %m = block.mlp %a up %w gate %w down %w {activation = #block.activation<silu>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %m : tensor<2x5x8xf32>
}

// YAML: --- !Passed
// YAML-NEXT: Pass: block-expand
// YAML-NEXT: Name: block.norm
