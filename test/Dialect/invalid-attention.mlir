// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [ATTENTION-1] kv_heads divides heads
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{'block.attention' op expected kv_heads to be a positive divisor of heads, 3, got 2}}
  %y = block.attention %input q %q k %k {heads = 3 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-1] there are heads
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected heads to be at least 1, got 0}}
  %y = block.attention %input q %q k %k {heads = 0 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-2] the query projection reads the input
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x7xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected dimension 1 of q_weight to be 8 (width of the input), got 7}}
  %y = block.attention %input q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x7xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-2] keys are projected from the memory, where there is one
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x7x6xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected dimension 1 of k_weight to be 6 (width of the source), got 8}}
  %y = block.attention %input memory %memory q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-2] values are projected from the source
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %v: tensor<8x9xf32>) {
  // expected-error @+1 {{expected dimension 1 of v_weight to be 8 (width of the source), got 9}}
  %y = block.attention %input q %q k %k v %v {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x9xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-3] queries are whole heads
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<7x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected heads to be a positive divisor of the rows of q_weight, 7, got 2}}
  %y = block.attention %input q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<7x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-3] keys have the head size of the queries
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of k_weight to be 4 (kv_heads times the query's head size), got 8}}
  %y = block.attention %input q %q k %k {heads = 2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-3] values are whole heads
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %v: tensor<5x8xf32>) {
  // expected-error @+1 {{expected kv_heads to be a positive divisor of the width of the values, 5, got 2}}
  %y = block.attention %input q %q k %k v %v {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-4] the query bias
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %q_bias: tensor<7xf32>) {
  // expected-error @+1 {{expected dimension 0 of q_bias to be 8 (rows of q_weight), got 7}}
  %y = block.attention %input q %q k %k q_bias %q_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-4] the key bias
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %k_bias: tensor<7xf32>) {
  // expected-error @+1 {{expected dimension 0 of k_bias to be 8 (rows of k_weight), got 7}}
  %y = block.attention %input q %q k %k k_bias %k_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-4] the value bias
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %v: tensor<8x8xf32>, %v_bias: tensor<7xf32>) {
  // expected-error @+1 {{expected dimension 0 of v_bias to be 8 (rows of v_weight), got 7}}
  %y = block.attention %input q %q k %k v %v v_bias %v_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-4] a value bias needs a projection
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %v_bias: tensor<8xf32>) {
  // expected-error @+1 {{expected a v_weight for the v_bias, got none}}
  %y = block.attention %input q %q k %k v_bias %v_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-4] the output bias
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %o: tensor<8x8xf32>, %o_bias: tensor<7xf32>) {
  // expected-error @+1 {{expected dimension 0 of o_bias to be 8 (width of the result), got 7}}
  %y = block.attention %input q %q k %k o %o o_bias %o_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-5] the output projection reads all value heads
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %o: tensor<8x7xf32>) {
  // expected-error @+1 {{expected dimension 1 of o_weight to be 8 (width of all value heads), got 7}}
  %y = block.attention %input q %q k %k o %o {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-5] an output bias needs a projection
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %o_bias: tensor<8xf32>) {
  // expected-error @+1 {{expected an o_weight for the o_bias, got none}}
  %y = block.attention %input q %q k %k o_bias %o_bias {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-6] gains need a qk norm
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %q_gamma: tensor<4xf32>) {
  // expected-error @+1 {{expected qk_norm with q_gamma, got none}}
  %y = block.attention %input q %q k %k q_gamma %q_gamma {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-6] a norm per head
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %k_beta: tensor<2xf32>) {
  // expected-error @+1 {{expected k_beta to have 4 or 8 elements (a head, or all heads), got 2}}
  %y = block.attention %input q %q k %k k_beta %k_beta {qk_norm = #block.qk_norm<form = <kind = layer, eps = 0.0>>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-6] a norm of the whole vector
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %q_gamma: tensor<4xf32>) {
  // expected-error @+1 {{expected q_gamma to have 8 or 8 elements (all heads), got 4}}
  %y = block.attention %input q %q k %k q_gamma %q_gamma {qk_norm = #block.qk_norm<form = <kind = rms, eps = 0.0>, extent = whole>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-7] the rotation fits into a head
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected the rotated width to be at most the head's, 4, got 6}}
  %y = block.attention %input q %q k %k {rope = #block.rope<style = half, dim = 6>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-8] past keys and values come together
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected past_key and past_value together, got only past_key}}
  %y = block.attention %input q %q k %k past_key %past_key {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-8] past keys have the width of the keys
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<2x3x6xf32>, %past_value: tensor<2x3x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of past_key to be 8 (width of all key heads), got 6}}
  %y = block.attention %input q %q k %k past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x3x6xf32>, tensor<2x3x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-8] past values have the width of the values
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<2x3x8xf32>, %past_value: tensor<2x3x6xf32>) {
  // expected-error @+1 {{expected dimension 2 of past_value to be 8 (width of all value heads), got 6}}
  %y = block.attention %input q %q k %k past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x3x8xf32>, tensor<2x3x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-8] past keys have the batch of the query
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<1x3x8xf32>, %past_value: tensor<1x3x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of past_key to be 2 (batch of the query), got 1}}
  %y = block.attention %input q %q k %k past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-8] there are as many past keys as values
// expected-note @+1 {{past_key comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<2x3x8xf32>, %past_value: tensor<2x4x8xf32>) {
  // expected-error @+1 {{expected past_value to have the rows of past_key, 'tensor<2x3x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.attention %input q %q k %k past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x3x8xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-9] a cross-attention is not causal
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a cross-attention without causal mask, window, rotation, past keys and cu_seqlens}}
  %y = block.attention %input memory %memory q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-9] a cross-attention has no window
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a cross-attention without causal mask, window, rotation, past keys and cu_seqlens}}
  %y = block.attention %input memory %memory q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, window = 2>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-9] a cross-attention is not rotated
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a cross-attention without causal mask, window, rotation, past keys and cu_seqlens}}
  %y = block.attention %input memory %memory q %q k %k {rope = #block.rope<style = half, dim = 4>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-9] a cross-attention has no past
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %past_key: tensor<2x5x8xf32>, %past_value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected a cross-attention without causal mask, window, rotation, past keys and cu_seqlens}}
  %y = block.attention %input memory %memory q %q k %k past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-9] a cross-attention is not packed
func.func @f(%input: tensor<1x5x8xf32>, %memory: tensor<1x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %c: tensor<3xi64>) {
  // expected-error @+1 {{expected a cross-attention without causal mask, window, rotation, past keys and cu_seqlens}}
  %y = block.attention %input memory %memory q %q k %k cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<3xi64>) -> tensor<1x5x8xf32>
  return
}

// -----

// [ATTENTION-9] the memory has the batch of the input
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<3x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of memory to be 2 (batch of the input), got 3}}
  %y = block.attention %input memory %memory q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<3x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-10] the result has the width of the output projection
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %o: tensor<6x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 6 (width of the output), got 8}}
  %y = block.attention %input q %q k %k o %o {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<6x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-10] the result has the rows of the query
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.attention %input q %q k %k {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [SDPA-3] attention counts lengths per batch row, too
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %lengths: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of lengths to be 2 (one per batch row), got 3}}
  %y = block.attention %input q %q k %k lengths %lengths {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-4] attention checks its tables as sdpa does
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %relative: tensor<32x2xf32>) {
  // expected-error @+1 {{expected relative_table and buckets together, got only relative_table}}
  %y = block.attention %input q %q k %k relative %relative {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-7] attention needs as many keys as queries for its alpha, too
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %memory: tensor<2x6x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>, %alpha: tensor<2xf32>) {
  // expected-error @+1 {{expected memory to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x6x8xf32>'}}
  %y = block.attention %input memory %memory q %q k %k alpha %alpha {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x6x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-11] the clip is positive
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected clip to be positive, got 0.000000e+00}}
  %y = block.attention %input q %q k %k {clip = 0.0 : f64, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-11] and a number
func.func @f(%input: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %k: tensor<8x8xf32>) {
  // expected-error @+1 {{expected clip to be positive, got nan}}
  %y = block.attention %input q %q k %k {clip = 0x7FF8000000000000 : f64, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-12] tables come with each other and the form
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %t: tensor<1x5x4xf32>) {
  // expected-error @+1 {{expected rope_cos, rope_sin and rope together, got only some}}
  %y = block.attention %x q %w k %w v %w rope_cos %t rope_sin %t {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x5x4xf32>, tensor<1x5x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ATTENTION-12] and fit what is rotated
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %t: tensor<3x5x4xf32>) {
  // expected-error @+1 {{expected dimension 0 of rope_cos to be 2 (1, or batch of what is rotated), got 3}}
  %y = block.attention %x q %w k %w v %w rope_cos %t rope_sin %t {heads = 2 : i64, kv_heads = 2 : i64, rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 1.0>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<3x5x4xf32>, tensor<3x5x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-14] a seed needs a rate
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %s: tensor<1xi64>) {
  // expected-error @+1 {{expected seed and dropout together, got seed alone}}
  %y = block.attention %x q %w k %w v %w seed %s {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>, tensor<8x8xf32>
  return
}

// -----

// [NAMED-1] projections of queries and keys are there
func.func @f(%x: tensor<2x5x8xf32>, %q: tensor<8x8xf32>) {
  // expected-error @+1 {{expected an operand 'k', got none}}
  %y = block.attention %x q %q {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>, tensor<8x8xf32>
  return
}

// -----

// [NAMED-1] in generic form, too
func.func @f(%x: tensor<2x5x8xf32>, %q: tensor<8x8xf32>) {
  // expected-error @+1 {{expected one operand 'k_weight', got 0}}
  %y = "block.attention"(%x, %q) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 1>, scores = #block.scores<scale = 0.5>}> : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}
