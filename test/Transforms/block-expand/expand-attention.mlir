// Every operand and attribute of block.attention reaches the step it is about.
// RUN: block-opt %s --block-expand --split-input-file | FileCheck %s

// Biases, and steps of the element type of the input.
// CHECK-LABEL: func.func @biases(
// CHECK: %arg9: tensor<?xi64>) -> tensor<?x?x6xf32> {
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %arg1 bias %arg2 : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: %[[K:.*]] = block.linear %arg0, %arg3 bias %arg4 :
// CHECK-NEXT: %[[V:.*]] = block.linear %arg0, %arg5 bias %arg6 :
// CHECK-NEXT: %[[A:.*]] = block.sdpa %[[Q]], %[[K]], %[[V]] lengths %arg9 {heads = 2,
// CHECK-NEXT: scores = #block.scores<scale = 1.0, causal = true, window = 3, softcap = 50.0, alibi_max = 8.0, order = scale_cap_bias>} : tensor<?x?x8xbf16>
// CHECK-NEXT: %[[O:.*]] = block.linear %[[A]], %arg7 bias %arg8 : tensor<?x?x8xbf16> -> tensor<?x?x6xf32>
// CHECK-NEXT: return %[[O]]
func.func @biases(%x: tensor<?x?x8xbf16>, %q: tensor<8x8xbf16>, %qb: tensor<8xbf16>,
    %k: tensor<8x8xbf16>, %kb: tensor<8xbf16>, %v: tensor<8x8xbf16>, %vb: tensor<8xbf16>,
    %o: tensor<6x8xbf16>, %ob: tensor<6xbf16>, %lengths: tensor<?xi64>) -> tensor<?x?x6xf32> {
  %y = block.attention %x q %q k %k v %v o %o q_bias %qb k_bias %kb v_bias %vb o_bias %ob lengths %lengths
      {heads = 2 : i64, kv_heads = 2 : i64,
       scores = #block.scores<scale = 1.0, causal = true, window = 3, softcap = 50.0, alibi_max = 8.0, order = scale_cap_bias>}
      : (tensor<?x?x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<6x8xbf16>,
         tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<6xbf16>, tensor<?xi64>) -> tensor<?x?x6xf32>
  return %y : tensor<?x?x6xf32>
}

// -----

// Queries and keys are bounded first, then normalised by head, then rotated.
// CHECK-LABEL: func.func @clip_norm_rope(
// CHECK: %arg8: tensor<8x12xf32>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %arg1 :
// CHECK-NEXT: %[[QC:.*]] = block.clamp %[[Q]] {limit = 8.0} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %[[K:.*]] = block.linear %arg0, %arg2 :
// CHECK-NEXT: %[[KC:.*]] = block.clamp %[[K]] {limit = 8.0} : tensor<2x5x4xf32>{{$}}
// CHECK-NEXT: %[[V:.*]] = block.linear %arg0, %arg3 :
// CHECK-NEXT: %[[VC:.*]] = block.clamp %[[V]] {limit = 8.0} : tensor<2x5x6xf32>{{$}}
// CHECK-NEXT: %[[QS:.*]]:2 = block.norm_stats %[[QC]] centered {groups = 2} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %[[QN:.*]] = block.normalize %[[QC]] mean %[[QS]]#0 moment %[[QS]]#1 gamma %arg4 beta %arg5 {form = #block.norm<kind = layer, eps = 1.0e-05>, groups = 2}
// CHECK-NEXT: %[[QR:.*]] = block.rope %[[QN]] {form = #block.rope<style = interleaved, dim = 2, base = 500.0>, heads = 2}
// CHECK-NEXT: %[[KS:.*]]:2 = block.norm_stats %[[KC]] centered : tensor<2x5x4xf32>{{$}}
// CHECK-NEXT: %[[KN:.*]] = block.normalize %[[KC]] mean %[[KS]]#0 moment %[[KS]]#1 gamma %arg6 beta %arg7 {form = #block.norm<kind = layer, eps = 1.0e-05>}
// CHECK-NEXT: %[[KR:.*]] = block.rope %[[KN]] {form = #block.rope<style = interleaved, dim = 2, base = 500.0>, heads = 1}
// A value head of another size.
// CHECK-NEXT: %[[A:.*]] = block.sdpa %[[QR]], %[[KR]], %[[VC]] {heads = 2, kv_heads = 1
// CHECK-NEXT: -> tensor<2x5x12xf32>
// CHECK-NEXT: block.linear %[[A]], %arg8 :
func.func @clip_norm_rope(%x: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<4x8xf32>, %v: tensor<6x8xf32>,
    %qg: tensor<4xf32>, %qb: tensor<4xf32>, %kg: tensor<4xf32>, %kb: tensor<4xf32>, %o: tensor<8x12xf32>) -> tensor<2x5x8xf32> {
  %y = block.attention %x q %q k %k v %v o %o q_gamma %qg q_beta %qb k_gamma %kg k_beta %kb
      {heads = 2 : i64, kv_heads = 1 : i64, clip = 8.0, scores = #block.scores<scale = 0.5>,
       rope = #block.rope<style = interleaved, dim = 2, base = 500.0>,
       qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.0e-5>>}
      : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x8xf32>, tensor<8x12xf32>,
         tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// -----

// After the rotation, over all heads, and positions that follow the past.
// CHECK-LABEL: func.func @past(
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[P:.*]] = tensor.dim %arg4, %[[ONE]] : tensor<2x?x4xf32>
// CHECK-NEXT: %[[QR:.*]] = block.rope %{{.*}} offset %[[P]] {form = #block.rope<style = half, dim = 4>, heads = 2}
// CHECK-NEXT: %[[QS:.*]] = block.norm_stats %[[QR]] : tensor<2x1x8xf32>{{$}}
// CHECK-NEXT: %[[QN:.*]] = block.normalize %[[QR]] moment %[[QS]] {form = #block.norm<kind = l2, eps = 0.0>}
// CHECK-NEXT: %[[KR:.*]] = block.rope %{{.*}} offset %[[P]] {form = #block.rope<style = half, dim = 4>, heads = 1}
// CHECK-NEXT: %[[KS:.*]] = block.norm_stats %[[KR]] : tensor<2x1x4xf32>{{$}}
// CHECK-NEXT: %[[KN:.*]] = block.normalize %[[KR]] moment %[[KS]] {form = #block.norm<kind = l2, eps = 0.0>}
// CHECK-NEXT: block.sdpa %[[QN]], %[[KN]], %{{.*}} past_key %arg4 past_value %arg5
func.func @past(%x: tensor<2x1x8xf32>, %q: tensor<8x8xf32>, %k: tensor<4x8xf32>, %o: tensor<8x8xf32>,
    %pk: tensor<2x?x4xf32>, %pv: tensor<2x?x4xf32>) -> tensor<2x1x8xf32> {
  %y = block.attention %x q %q k %k v %k o %o past_key %pk past_value %pv
      {heads = 2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5, causal = true>,
       rope = #block.rope<style = half, dim = 4>,
       qk_norm = #block.qk_norm<form = <kind = l2, eps = 0.0>, extent = whole, place = after_rope>}
      : (tensor<2x1x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>,
         tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x1x8xf32>
  return %y : tensor<2x1x8xf32>
}

// -----

// No value and no output matrix: the values are the source, the result is what
// the heads give. Tables and gains go to the scores.
// CHECK-LABEL: func.func @identities(
// CHECK: %arg7: tensor<2xf32>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %arg1 :
// CHECK-NEXT: %[[K:.*]] = block.linear %arg0, %arg1 :
// CHECK-NEXT: %[[A:.*]] = block.sdpa %[[Q]], %[[K]], %arg0 relative %arg2 shaw_key %arg3 shaw_value %arg4 alpha %arg5 beta %arg6 gamma %arg7
// CHECK-NEXT: {buckets = #block.buckets<max_distance = 16>, heads = 2, scores
// CHECK-NEXT: : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<32x2xf32>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<2xf32>, tensor<1xf32>,
// CHECK-NEXT: tensor<2xf32>) -> tensor<2x5x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @identities(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %table: tensor<32x2xf32>, %shaw_key: tensor<9x4xf32>,
    %shaw_value: tensor<9x4xf32>, %alpha: tensor<2xf32>, %beta: tensor<1xf32>, %gamma: tensor<2xf32>) -> tensor<2x5x8xf32> {
  %y = block.attention %x q %w k %w relative %table shaw_key %shaw_key shaw_value %shaw_value alpha %alpha beta %beta gamma %gamma
      {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>, buckets = #block.buckets<max_distance = 16>}
      : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32x2xf32>, tensor<9x4xf32>, tensor<9x4xf32>,
         tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}

// -----

// Keys and values of a cross-attention have the rows of the memory.
// CHECK-LABEL: func.func @cross(
// CHECK: %arg4: tensor<2xi64>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %[[Q:.*]] = block.linear %arg0, %arg2 : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %[[K:.*]] = block.linear %arg1, %arg3 : tensor<2x7x6xf32> -> tensor<2x7x8xf32>
// CHECK-NEXT: %[[V:.*]] = block.linear %arg1, %arg3 : tensor<2x7x6xf32> -> tensor<2x7x8xf32>
// CHECK-NEXT: block.sdpa %[[Q]], %[[K]], %[[V]] lengths %arg4 {
func.func @cross(%x: tensor<2x5x8xf32>, %memory: tensor<2x7x6xf32>, %q: tensor<8x8xf32>, %k: tensor<8x6xf32>, %lengths: tensor<2xi64>) -> tensor<2x5x8xf32> {
  %y = block.attention %x memory %memory q %q k %k v %k o %q lengths %lengths
      {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x8xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
