// Statistics of every 128 columns, of rows that are computed in other parts: in heads of 66, and with sinusoids.
// RUN: block-opt %s --block-optimize=chip=cpu -o %t.mlir
// RUN: FileCheck %s --check-prefix=PARTIAL --input-file=%t.mlir
// PARTIAL: block.rope
// PARTIAL: block.partial_stats
// PARTIAL-LABEL: func.func @ids
// PARTIAL: block.partial_stats
// RUN: block-run %t.mlir --engine=cpu --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %t.mlir --engine=cpu --seed=3 --baseline=%s --function=ids --cpu=x86-64 | FileCheck %s
// CHECK: PASS out0

func.func @main(%x: tensor<1x5x24xf32>, %q: tensor<264x24xf32> {block.param = "q"}, %k: tensor<66x24xf32> {block.param = "k"}, %o: tensor<24x264xf32> {block.param = "o"},
                %g: tensor<264xf32> {block.param = "g"}, %h: tensor<66xf32> {block.param = "h"}) -> tensor<1x5x24xf32> {
  %0 = block.attention %x q %q k %k v %k o %o q_gamma %g k_gamma %h {heads = 4 : i64, kv_heads = 1 : i64,
    qk_norm = #block.qk_norm<form = <kind = rms, eps = 1.0e-02>, extent = whole, place = after_rope>, rope = #block.rope<style = half, dim = 60>, scores = #block.scores<scale = 0.125, causal = true>}
    : (tensor<1x5x24xf32>, tensor<264x24xf32>, tensor<66x24xf32>, tensor<66x24xf32>, tensor<24x264xf32>, tensor<264xf32>, tensor<66xf32>) -> tensor<1x5x24xf32>
  return %0 : tensor<1x5x24xf32>
}

func.func @ids(%ids: tensor<1x5xi64> {block.input = "input_ids"}, %table: tensor<7x148xf32> {block.param = "table"}, %g: tensor<148xf32> {block.param = "g"}, %w: tensor<24x148xf32> {block.param = "w"}) -> tensor<1x5x24xf32> {
  %0 = block.embedding %ids in %table {sinusoid = #block.sinusoid<sin_cos_pairs>} : (tensor<1x5xi64>, tensor<7x148xf32>) -> tensor<1x5x148xf32>
  %1 = block.norm %0 gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : (tensor<1x5x148xf32>, tensor<148xf32>) -> tensor<1x5x148xf32>
  %2 = block.linear %1, %w : (tensor<1x5x148xf32>, tensor<24x148xf32>) -> tensor<1x5x24xf32>
  %3 = block.linear %0, %w : (tensor<1x5x148xf32>, tensor<24x148xf32>) -> tensor<1x5x24xf32>
  %4 = block.residual %2, %3 : (tensor<1x5x24xf32>, tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
  return %4 : tensor<1x5x24xf32>
}
