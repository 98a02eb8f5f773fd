// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [SDPA-1] kv_heads divides heads
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected kv_heads to be a positive divisor of heads, 3, got 2}}
  %y = block.sdpa %query, %key, %value {heads = 3 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-1] there are heads
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected heads to be at least 1, got -2}}
  %y = block.sdpa %query, %key, %value {heads = -2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-2] queries are whole heads
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected heads to be a positive divisor of the width of the query, 8, got 3}}
  %y = block.sdpa %query, %key, %value {heads = 3 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-2] values are whole heads
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x7xf32>) {
  // expected-error @+1 {{expected kv_heads to be a positive divisor of the width of the value, 7, got 2}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-2] keys have the head size of the queries
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of key to be 4 (kv_heads times the query's head size), got 8}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-2] keys have the batch of the queries
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<3x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of key to be 2 (batch of the query), got 3}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<3x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-2] there is a value for each key
// expected-note @+1 {{key comes from here}}
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x6x8xf32>) {
  // expected-error @+1 {{expected value to have the rows of key, 'tensor<2x5x8xf32>', got 'tensor<2x6x8xf32>'}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x6x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-3] one length per batch row
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %lengths: tensor<5xi64>) {
  // expected-error @+1 {{expected dimension 0 of lengths to be 2 (one per batch row), got 5}}
  %y = block.sdpa %query, %key, %value lengths %lengths {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<5xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-4] a table needs buckets
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %relative: tensor<32x2xf32>) {
  // expected-error @+1 {{expected relative_table and buckets together, got only relative_table}}
  %y = block.sdpa %query, %key, %value relative %relative {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<32x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-4] buckets need a table
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected relative_table and buckets together, got only buckets}}
  %y = block.sdpa %query, %key, %value {buckets = #block.buckets<>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-4] one column per head
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %relative: tensor<32x3xf32>) {
  // expected-error @+1 {{expected dimension 1 of relative_table to be 2 (one column per head), got 3}}
  %y = block.sdpa %query, %key, %value relative %relative {buckets = #block.buckets<>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<32x3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-5] a Shaw table has the width of a head
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %shaw_key: tensor<9x8xf32>) {
  // expected-error @+1 {{expected dimension 1 of shaw_key to be 4 (width of a head), got 8}}
  %y = block.sdpa %query, %key, %value shaw_key %shaw_key {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<9x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-5] a Shaw table has a row in the middle
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %shaw_value: tensor<8x4xf32>) {
  // expected-error @+1 {{expected shaw_value to have an odd number of rows, got 8}}
  %y = block.sdpa %query, %key, %value shaw_value %shaw_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-6] a sink per head
func.func @f(%x: tensor<2x5x8xf32>, %z: tensor<3xf32>) {
  // expected-error @+1 {{expected sinks to have 1 or 2 elements (one, or one per head), got 3}}
  %y = block.sdpa %x, %x, %x sinks %z {heads = 2, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-6] a gain per head
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %beta: tensor<8xf32>) {
  // expected-error @+1 {{expected beta to have 1 or 2 elements (one, or one per head), got 8}}
  %y = block.sdpa %query, %key, %value beta %beta {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-7] alpha adds to each query the value of its own row
// expected-note @+1 {{query comes from here}}
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x6x8xf32>, %value: tensor<2x6x8xf32>, %alpha: tensor<2xf32>) {
  // expected-error @+1 {{expected key to have the rows of query, 'tensor<2x5x8xf32>', got 'tensor<2x6x8xf32>'}}
  %y = block.sdpa %query, %key, %value alpha %alpha {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-8] past keys and values come together
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %past_value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected past_key and past_value together, got only past_value}}
  %y = block.sdpa %query, %key, %value past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-8] past keys have the width of the new ones
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %past_key: tensor<2x5x4xf32>, %past_value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of past_key to be 8 (width of all key heads), got 4}}
  %y = block.sdpa %query, %key, %value past_key %past_key past_value %past_value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-9] the result has the width of all value heads
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x12xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 12 (width of all value heads), got 8}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x12xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-9] the result has the rows of the query
// expected-note @+1 {{query comes from here}}
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected result to have the rows of query, 'tensor<2x5x8xf32>', got 'tensor<2x6x8xf32>'}}
  %y = block.sdpa %query, %key, %value {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x6x8xf32>
  return
}

// -----

// [SDPA-10] one slope per head
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %slopes: tensor<3xf32>) {
  // expected-error @+1 {{expected dimension 0 of slopes to be 2 (one per head), got 3}}
  %y = block.sdpa %query, %key, %value slopes %slopes {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, alibi_max = 8.0>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-10] slopes are for ALiBi
func.func @f(%query: tensor<2x5x8xf32>, %key: tensor<2x5x8xf32>, %value: tensor<2x5x8xf32>, %slopes: tensor<2xf32>) {
  // expected-error @+1 {{expected alibi_max with slopes, got none}}
  %y = block.sdpa %query, %key, %value slopes %slopes {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROPE-1] whole heads
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.rope' op expected heads to be a positive divisor of the width, 8, got 3}}
  %y = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROPE-2] the rotation fits into a head
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected the rotated width to be at most the head's, 4, got 6}}
  %y = block.rope %x {form = #block.rope<style = half, dim = 6>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROPE-3] a frequency per pair
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected inv_freq to have 2 entries, got 1}}
  %y = block.rope %x {form = #block.rope<style = half, dim = 4, inv_freq = [1.0]>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-11] a dimension of the bias is 1 or that of the scores
func.func @f(%q: tensor<2x5x8xf32>, %b: tensor<2x3x5x5xf32>) {
  // expected-error @+1 {{expected dimension 1 of score_bias to be 2 (1, or one per head), got 3}}
  %y = block.sdpa %q, %q, %q score_bias %b {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x3x5x5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-11] keys
func.func @f(%q: tensor<2x5x8xf32>, %b: tensor<1x1x1x4xf32>) {
  // expected-error @+1 {{expected dimension 3 of score_bias to be 5 (1, or all keys), got 4}}
  %y = block.sdpa %q, %q, %q score_bias %b {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1x1x1x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-12] one sequence at least
func.func @f(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %c: tensor<1xi64>) {
  // expected-error @+1 {{expected cu_seqlens to have at least 2 elements, got 1}}
  %y = block.sdpa %q, %k, %k cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1xi64>) -> tensor<1x5x8xf32>
  return
}

// -----

// [SDPA-12] sequences share one batch row
func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x5x8xf32>, %c: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of query to be 1 (one batch row, for cu_seqlens), got 2}}
  %y = block.sdpa %q, %k, %k cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-12] lengths are another way to say it
func.func @f(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %l: tensor<1xi64>, %c: tensor<3xi64>) {
  // expected-error @+1 {{expected cu_seqlens without lengths, got both}}
  %y = block.sdpa %q, %k, %k lengths %l cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1xi64>, tensor<3xi64>) -> tensor<1x5x8xf32>
  return
}

// -----

// [SDPA-12] a past belongs to one sequence
func.func @f(%q: tensor<1x5x8xf32>, %k: tensor<1x5x8xf32>, %c: tensor<3xi64>) {
  // expected-error @+1 {{expected cu_seqlens without past_key, got both}}
  %y = block.sdpa %q, %k, %k past_key %k past_value %k cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<3xi64>) -> tensor<1x5x8xf32>
  return
}

// -----

// [SDPA-12] as many keys as queries
// expected-note @+1 {{query comes from here}}
func.func @f(%q: tensor<1x5x8xf32>, %k: tensor<1x6x8xf32>, %c: tensor<3xi64>) {
  // expected-error @+1 {{expected key to have the rows of query, 'tensor<1x5x8xf32>', got 'tensor<1x6x8xf32>'}}
  %y = block.sdpa %q, %k, %k cu_seqlens %c {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x5x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<3xi64>) -> tensor<1x5x8xf32>
  return
}

// -----

// [SDPA-13] one length per batch row
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of past_lengths to be 2 (one per batch row), got 3}}
  %y = block.sdpa %q, %k, %k past_lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] one start per batch row
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %n: tensor<2xi64>, %s: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of starts to be 2 (one per batch row), got 3}}
  %y = block.sdpa %q, %k, %k past_lengths %n starts %s {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2xi64>, tensor<3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] starts are rows of a cache
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{expected past_lengths with starts, got none}}
  %y = block.sdpa %q, %k, %k starts %s {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] lengths are another way to say it
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected past_lengths without lengths, got both}}
  %y = block.sdpa %q, %k, %k lengths %n past_lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] a cache has the past in it
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected past_lengths without past_key, got both}}
  %y = block.sdpa %q, %k, %k past_key %k past_value %k past_lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] a bias has no positions
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<2x9x8xf32>, %n: tensor<2xi64>, %b: tensor<1x1x1x9xf32>) {
  // expected-error @+1 {{expected past_lengths without score_bias, got both}}
  %y = block.sdpa %q, %k, %k score_bias %b past_lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<1x1x1x9xf32>, tensor<2xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-13] sequences that share a row have no cache
func.func @f(%q: tensor<1x3x8xf32>, %n: tensor<1xi64>, %b: tensor<3xi64>) {
  // expected-error @+1 {{expected past_lengths without cu_seqlens, got both}}
  %y = block.sdpa %q, %q, %q cu_seqlens %b past_lengths %n {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<3xi64>, tensor<1xi64>) -> tensor<1x3x8xf32>
  return
}

// -----

// [CACHE-1] one batch
func.func @f(%c: tensor<2x9x8xf32>, %x: tensor<1x3x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 0 of added to be 2 (batch of the cache), got 1}}
  %y = block.cache_append %c, %x at %n : (tensor<2x9x8xf32>, tensor<1x3x8xf32>, tensor<2xi64>) -> tensor<2x9x8xf32>
  return
}

// -----

// [CACHE-1] one width
func.func @f(%c: tensor<2x9x8xf32>, %x: tensor<2x3x4xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 2 of added to be 8 (width of the cache), got 4}}
  %y = block.cache_append %c, %x at %n : (tensor<2x9x8xf32>, tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x9x8xf32>
  return
}

// -----

// [CACHE-1] one element type
func.func @f(%c: tensor<2x9x8xf32>, %x: tensor<2x3x8xbf16>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected added to have the cache's elements, 'f32', got 'bf16'}}
  %y = block.cache_append %c, %x at %n : (tensor<2x9x8xf32>, tensor<2x3x8xbf16>, tensor<2xi64>) -> tensor<2x9x8xf32>
  return
}

// -----

// [CACHE-2] one length per batch row
func.func @f(%c: tensor<2x9x8xf32>, %x: tensor<2x3x8xf32>, %n: tensor<1xi64>) {
  // expected-error @+1 {{expected dimension 0 of lengths to be 2 (one per batch row), got 1}}
  %y = block.cache_append %c, %x at %n : (tensor<2x9x8xf32>, tensor<2x3x8xf32>, tensor<1xi64>) -> tensor<2x9x8xf32>
  return
}

// -----

// [SDPA-15] pages are those of a cache
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<9x4x8xf32>, %p: tensor<2x3xi64>) {
  // expected-error @+1 {{expected past_lengths with pages, got none}}
  %y = block.sdpa %q, %k, %k pages %p {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<9x4x8xf32>, tensor<9x4x8xf32>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-15] pages of each batch row
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<9x4x8xf32>, %n: tensor<2xi64>, %p: tensor<9x3xi64>) {
  // expected-error @+1 {{expected dimension 0 of pages to be 2 (one per batch row), got 9}}
  %y = block.sdpa %q, %k, %k past_lengths %n pages %p {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<9x4x8xf32>, tensor<9x4x8xf32>, tensor<2xi64>, tensor<9x3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [SDPA-15] rows of a page are known
func.func @f(%q: tensor<2x3x8xf32>, %k: tensor<9x?x8xf32>, %n: tensor<2xi64>, %p: tensor<2x3xi64>) {
  // expected-error @+1 {{expected a known number of rows of a page of key, with pages, got '?'}}
  %y = block.sdpa %q, %k, %k past_lengths %n pages %p {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0, causal = true>} : (tensor<2x3x8xf32>, tensor<9x?x8xf32>, tensor<9x?x8xf32>, tensor<2xi64>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [CACHE-3] pages of each batch row
func.func @f(%c: tensor<9x4x8xf32>, %x: tensor<2x3x8xf32>, %n: tensor<2xi64>, %p: tensor<1x3xi64>) {
  // expected-error @+1 {{expected dimension 0 of pages to be 2 (one per batch row), got 1}}
  %y = block.cache_append %c, %x at %n pages %p : (tensor<9x4x8xf32>, tensor<2x3x8xf32>, tensor<2xi64>, tensor<1x3xi64>) -> tensor<9x4x8xf32>
  return
}

// -----

// [CACHE-3] rows of a page are known
func.func @f(%c: tensor<9x?x8xf32>, %x: tensor<2x3x8xf32>, %n: tensor<2xi64>, %p: tensor<2x3xi64>) {
  // expected-error @+1 {{expected a known number of rows of a page of cache, with pages, got '?'}}
  %y = block.cache_append %c, %x at %n pages %p : (tensor<9x?x8xf32>, tensor<2x3x8xf32>, tensor<2xi64>, tensor<2x3xi64>) -> tensor<9x?x8xf32>
  return
}

// -----

// [ROPE-4] one offset per batch row
func.func @f(%x: tensor<2x3x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of offset to be 2 (one per batch row), got 3}}
  %y = block.rope %x offset %n {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x3x8xf32>, tensor<3xi64>) -> tensor<2x3x8xf32>
  return
}

// -----

// [ROTATE-1] heads of one size
func.func @f(%x: tensor<2x5x8xf32>, %t: tensor<1x5x2xf32>) {
  // expected-error @+1 {{expected heads to be a positive divisor of the width, 8, got 3}}
  %y = block.rotate %x, %t, %t {dim = 4 : i64, heads = 3 : i64, style = #block.rope_style<half>} : (tensor<2x5x8xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROTATE-2] pairs within a head
func.func @f(%x: tensor<2x5x8xf32>, %t: tensor<1x5x3xf32>) {
  // expected-error @+1 {{expected the rotated width to be positive, even and at most the head's, 4, got 6}}
  %y = block.rotate %x, %t, %t {dim = 6 : i64, heads = 2 : i64, style = #block.rope_style<half>} : (tensor<2x5x8xf32>, tensor<1x5x3xf32>, tensor<1x5x3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROTATE-3] a column for each pair or element
func.func @f(%x: tensor<2x5x8xf32>, %t: tensor<1x5x3xf32>) {
  // expected-error @+1 {{expected cosines to have 2 or 4 columns, got 3}}
  %y = block.rotate %x, %t, %t {dim = 4 : i64, heads = 2 : i64, style = #block.rope_style<interleaved>} : (tensor<2x5x8xf32>, tensor<1x5x3xf32>, tensor<1x5x3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROTATE-3] a row for each token
func.func @f(%x: tensor<2x5x8xf32>, %t: tensor<1x5x2xf32>, %u: tensor<1x4x2xf32>) {
  // expected-error @+1 {{expected dimension 1 of sines to be 5 (rows of what is rotated), got 4}}
  %y = block.rotate %x, %t, %u {dim = 4 : i64, heads = 2 : i64, style = #block.rope_style<half>} : (tensor<2x5x8xf32>, tensor<1x5x2xf32>, tensor<1x4x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-14] a rate needs a seed
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected seed and dropout together, got dropout alone}}
  %y = block.sdpa %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.5>, dropout = #block.dropout<rate = 0.1>} : tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-14] rows of a cache are not those of the queries
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<2xi64>, %s: tensor<1xi64>) {
  // expected-error @+1 {{expected past_lengths without seed, got both}}
  %y = block.sdpa %x, %x, %x past_lengths %n seed %s {heads = 2, scores = #block.scores<scale = 0.5, causal = true>, dropout = #block.dropout<rate = 0.1>} : tensor<2x5x8xf32>
  return
}

// -----

// [SDPA-14] of a gradient as well
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<1xi64>) {
  // expected-error @+1 {{expected seed and dropout together, got seed alone}}
  %y = block.sdpa_grad %x of %x, %x, %x seed %s {wrt = ["query"], heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{must be 1D tensor of one i64}}
  %y = "block.dropout"(%x, %s) <{form = #block.dropout<rate = 0.1>}> : (tensor<2x5x8xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] each operand at most once
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected one operand 'lengths', got two}}
  %y = block.sdpa %x, %x, %x lengths %n lengths %n {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] and in generic form
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected at most one operand 'lengths', got 2}}
  %y = "block.sdpa"(%x, %x, %x, %n, %n) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 2>, scores = #block.scores<scale = 0.5>}> : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] counts are those of the operands
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected an operand 'lengths', which operandSegmentSizes counts, got none}}
  %y = "block.sdpa"(%x, %x, %x) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scores = #block.scores<scale = 0.5>}> : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] all of them
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected operandSegmentSizes to count 4 operands, got 3}}
  %y = "block.sdpa"(%x, %x, %x, %n) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1>, scores = #block.scores<scale = 0.5>}> : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] positional operands are there
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected operandSegmentSizes to begin with 3 times 1, got 0}}
  %y = "block.sdpa"(%x, %x, %x) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1>, scores = #block.scores<scale = 0.5>}> : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] no count is of an operand that the op does not have
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected operandSegmentSizes to have 4 to 18 counts, got 19}}
  %y = "block.sdpa_grad"(%x, %x, %x, %x) <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, scores = #block.scores<scale = 0.5>, wrt = ["query"]}> : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NAMED-1] text gives no counts
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected no attribute operandSegmentSizes: keywords give the operands}}
  %y = block.sdpa %x, %x, %x {heads = 2, operandSegmentSizes = array<i32: 1, 1, 1>, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
  return
}

// -----

// each operand has its type
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<2xf32>) {
  // expected-error @+1 {{operand 'lengths' must be 1D tensor of 64-bit signless integer values, but got 'tensor<2xf32>'}}
  %y = block.sdpa %x, %x, %x lengths %n {heads = 2, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// an operand of another op of attention
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected ':'}}
  %y = block.sdpa %x, %x, %x memory %x {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
  return
}
