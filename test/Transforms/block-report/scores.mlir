// Scores cost what the allowed keys cost: 2 * (8 + 8) FLOPs each. Projections of
// queries and keys cost 256 per token.
// RUN: block-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(block-report))' -o /dev/null 2>&1 | FileCheck %s

// A window to both sides: 3 keys, at the ends 2, so 13 of 25 pairs.
// CHECK: both_sides: level 1, batch 2, sequence 5
// CHECK: FLOPs per token
// 256 + 32 * 13 / 5
// CHECK-NEXT: total 339
func.func @both_sides(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.attention %x q %w k %w {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, window = 2>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// -----

// Two new tokens after seven: they see 8 and 9 keys, 4 of each in the window.
// CHECK: past: level 2, batch 1, sequence 2
// CHECK: FLOPs per token
// CHECK-NEXT: total 128
// CHECK: activation bytes 704
func.func @past(%q: tensor<1x2x8xf32>, %pk: tensor<1x7x8xf32>) -> tensor<1x2x8xf32> {
  %a = block.sdpa %q, %q, %q past_key %pk past_value %pk {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, window = 4>} : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x7x8xf32>, tensor<1x7x8xf32>) -> tensor<1x2x8xf32>
  return %a : tensor<1x2x8xf32>
}

// -----

// A cross-attention sees the whole memory; keys are projected once per token of it.
// CHECK: cross: level 1, batch 1, sequence 2
// CHECK: FLOPs per token
// (128 * 2 + 128 * 7 + 32 * 14) / 2
// CHECK-NEXT: total 800
// CHECK: launches 3
func.func @cross(%x: tensor<1x2x8xf32>, %memory: tensor<1x7x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x2x8xf32> {
  %a = block.attention %x memory %memory q %w k %w {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<1x2x8xf32>, tensor<1x7x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  return %a : tensor<1x2x8xf32>
}
