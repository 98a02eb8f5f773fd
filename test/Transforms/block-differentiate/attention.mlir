// Attention in every form of its scores, with query heads that share keys.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS q
// CHECK: PASS k
// CHECK: PASS v
// CHECK: PASS table
// CHECK: PASS sk
// CHECK: PASS sv
// CHECK: PASS alpha
// CHECK: PASS beta
// CHECK: PASS gamma
// CHECK: PASS pk
// CHECK: PASS pv
// CHECK: PASS sb
// CHECK: PASS sc
// CHECK-NOT: FAIL
func.func @main(%q: tensor<2x5x12xf32> {block.input = "q"},
    %k: tensor<2x5x6xf32> {block.input = "k"},
    %v: tensor<2x5x6xf32> {block.input = "v"},
    %table: tensor<8x4xf32> {block.param = "table"},
    %sk: tensor<5x3xf32> {block.param = "sk"},
    %sv: tensor<5x3xf32> {block.param = "sv"},
    %alpha: tensor<4xf32> {block.param = "alpha"},
    %beta: tensor<4xf32> {block.param = "beta"},
    %gamma: tensor<1xf32> {block.param = "gamma"},
    %pk: tensor<2x3x6xf32> {block.input = "pk"},
    %pv: tensor<2x3x6xf32> {block.input = "pv"},
    %sb: tensor<1x4x5x5xf32> {block.input = "sb"},
    %sc: tensor<2x1x1x5xf32> {block.input = "sc"})
    -> (tensor<2x5x12xf32> {block.output = "r1"}, tensor<2x5x12xf32> {block.output = "r2"}, tensor<2x5x12xf32> {block.output = "r3"}, tensor<2x5x12xf32> {block.output = "r4"}, tensor<2x5x12xf32> {block.output = "r5"}, tensor<2x5x12xf32> {block.output = "r6"}, tensor<2x5x12xf32> {block.output = "r7"}, tensor<2x5x12xf32> {block.output = "r8"}, tensor<2x5x12xf32> {block.output = "r9"}, tensor<2x5x12xf32> {block.output = "r10"}, tensor<2x5x12xf32> {block.output = "r11"}, tensor<2x5x12xf32> {block.output = "r12"}, tensor<2x5x12xf32> {block.output = "r13"}, tensor<2x5x12xf32> {block.output = "r14"}, tensor<2x5x12xf32> {block.output = "r15"}, tensor<2x5x12xf32> {block.output = "r16"}) {
  %r1 = block.sdpa %q, %k, %v {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x12xf32>
  %r2 = block.sdpa %q, %k, %v {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, causal = true, window = 2>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x12xf32>
  %r3 = block.sdpa %q, %k, %v {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, window = 3, softcap = 1.5>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x12xf32>
  %r4 = block.sdpa %q, %k, %v {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, alibi_max = 8.0, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x12xf32>
  %r5 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, softcap = 2.0, order = scale_bias_cap>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r6 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, order = scale_bias_cap>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r7 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, softcap = 2.0, order = bias_scale_cap>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r8 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, order = bias_scale_cap>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r9 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, softcap = 2.0, order = scale_cap_bias>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r10 = block.sdpa %q, %k, %v relative %table {heads = 4, kv_heads = 2, buckets = #block.buckets<max_distance = 4, bidirectional = true>, scores = #block.scores<scale = 0.6, order = scale_cap_bias>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<8x4xf32>) -> tensor<2x5x12xf32>
  %r11 = block.sdpa %q, %k, %v shaw_key %sk shaw_value %sv {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<2x5x12xf32>
  %r12 = block.sdpa %q, %k, %v alpha %alpha beta %beta gamma %gamma {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<2x5x12xf32>
  %r13 = block.sdpa %q, %k, %v shaw_value %sv beta %beta {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<5x3xf32>, tensor<4xf32>) -> tensor<2x5x12xf32>
  %r14 = block.sdpa %q, %k, %v past_key %pk past_value %pv {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x3x6xf32>, tensor<2x3x6xf32>) -> tensor<2x5x12xf32>
  %r15 = block.sdpa %q, %k, %v score_bias %sb {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<1x4x5x5xf32>) -> tensor<2x5x12xf32>
  %r16 = block.sdpa %q, %k, %v score_bias %sc {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.6, softcap = 1.0>} : (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x1x1x5xf32>) -> tensor<2x5x12xf32>
  return %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16 : tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>
}
