// Sequences that share one batch row, with all that scores may have beside.
// DAYS: 2, day 2
// RUN: block-run %s --engine=cpu --dims=tokens=75,bounds=6 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --dims=tokens=9,bounds=4 --cpu=x86-64 --seed=4 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --dims=tokens=3,bounds=12 --cpu=x86-64-v3 --seed=5 --baseline=%s | FileCheck %s
// RUN: block-run %s --function=narrow --engine=cpu --dims=tokens=70,bounds=3 --seed=6 --baseline=%s | FileCheck %s --check-prefix=NARROW
// CHECK: PASS out0
// CHECK: PASS out5
// NARROW: PASS out0

func.func @main(
    %q: tensor<1x?x32xf32> {block.dims = ["tokens"]}, %k: tensor<1x?x16xf32> {block.dims = ["tokens"]},
    %v: tensor<1x?x16xf32> {block.dims = ["tokens"]}, %cu: tensor<?xi64> {block.dims = ["bounds"]},
    %table: tensor<8x4xf32> {block.param = "table"}, %shaw: tensor<7x8xf32> {block.param = "shaw"},
    %gain: tensor<4xf32> {block.param = "gain"}, %bias: tensor<1x4x1x?xf32> {block.dims = ["tokens"]})
    -> (tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>) {
  %plain = block.sdpa %q, %k, %v cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  %causal = block.sdpa %q, %k, %v cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01, causal = true, window = 11, softcap = 3.0>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  %near = block.sdpa %q, %k, %v cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01, window = 5, alibi_max = 8.0>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  %rounded = block.sdpa %q, %k, %v cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01, causal = true, alibi_max = 8.0, alibi_type = bf16>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  %distances = block.sdpa %q, %k, %v relative %table shaw_key %shaw shaw_value %shaw cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01>, buckets = #block.buckets<max_distance = 16, bidirectional = true>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<8x4xf32>, tensor<7x8xf32>, tensor<7x8xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  %mixed = block.sdpa %q, %k, %v alpha %gain beta %gain gamma %gain score_bias %bias cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.0e-01, causal = true>} : (tensor<1x?x32xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4x1x?xf32>, tensor<?xi64>) -> tensor<1x?x32xf32>
  return %plain, %causal, %near, %rounded, %distances, %mixed : tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>
}

func.func @narrow(
    %x: tensor<1x?x32xbf16> {block.dims = ["tokens"]}, %cu: tensor<?xi64> {block.dims = ["bounds"]},
    %q: tensor<32x32xbf16> {block.param = "q"}, %k: tensor<16x32xbf16> {block.param = "k"}) -> tensor<1x?x32xbf16> {
  %0 = block.attention %x q %q k %k v %k cu_seqlens %cu {heads = 4 : i64, kv_heads = 2 : i64, rope = #block.rope<style = half, dim = 8>, scores = #block.scores<scale = 5.0e-01, causal = true>} : (tensor<1x?x32xbf16>, tensor<32x32xbf16>, tensor<16x32xbf16>, tensor<16x32xbf16>, tensor<?xi64>) -> tensor<1x?x32xbf16>
  return %0 : tensor<1x?x32xbf16>
}
