// What has no form at level 0 is an error at the op.
// RUN: block-opt %s --split-input-file --verify-diagnostics --convert-block-to-linalg

func.func @main(%q: tensor<2x8x16xf32>, %p: tensor<2x4x16xf32>) -> tensor<2x8x16xf32> {
  // expected-error @+1 {{has no form at this level with past keys}}
  %0 = block.sdpa %q, %q, %q past_key %p past_value %p {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// -----

func.func @main(%x: tensor<2x?x16xf32>) -> tensor<2x?x16xf32> {
  // expected-error @+1 {{needs a sequence length that is a number at this level, as its table is rounded, got a dynamic one}}
  %0 = block.rope %x {form = #block.rope<style = half, dim = 4, table_type = bf16>, heads = 2 : i64} : (tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %0 : tensor<2x?x16xf32>
}

// -----

func.func @main(%x: tensor<2x9223372036854775807x16xf32>) -> tensor<2x9223372036854775807x16xf32> {
  // expected-error @+1 {{expected a rounded table of at most 4194304 elements at this level, got 18446744073709551614}}
  %0 = block.rope %x {form = #block.rope<style = half, dim = 4, table_type = bf16>, heads = 2 : i64} : (tensor<2x9223372036854775807x16xf32>) -> tensor<2x9223372036854775807x16xf32>
  return %0 : tensor<2x9223372036854775807x16xf32>
}

// -----

func.func @main(%x: tensor<2x?x16xf32>) -> tensor<2x?x16xf32> {
  // expected-error @+1 {{needs a sequence length that is a number at this level, as its bias is rounded, got a dynamic one}}
  %0 = block.sdpa %x, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, alibi_max = 8.0, alibi_type = bf16>}
      : (tensor<2x?x16xf32>, tensor<2x?x16xf32>, tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %0 : tensor<2x?x16xf32>
}

// -----

func.func @main(%x: tensor<2x?x16xf32>, %t: tensor<8x2xf32>) -> tensor<2x?x16xf32> {
  // expected-error @+1 {{needs sequence lengths that are numbers at this level, as it has buckets, got a dynamic one}}
  %0 = block.sdpa %x, %x, %x relative %t {buckets = #block.buckets<max_distance = 16>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<2x?x16xf32>, tensor<2x?x16xf32>, tensor<2x?x16xf32>, tensor<8x2xf32>) -> tensor<2x?x16xf32>
  return %0 : tensor<2x?x16xf32>
}

// -----

func.func @main(%ids: tensor<1x2xi64>, %w: tensor<5x8xf32>, %first: index) -> tensor<1x2x8xf32> {
  // expected-error @below {{has no form at this level with a first_id}}
  %0 = block.embedding %ids in %w first_id %first : tensor<1x2xi64>, tensor<5x8xf32>
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<2x4194304x16xf32>) -> tensor<2x4194304x16xf32> {
  // expected-error @+1 {{expected a rounded bias of at most 4194304 elements at this level, got 8388608}}
  %0 = block.sdpa %x, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, alibi_max = 8.0, alibi_type = bf16>}
      : (tensor<2x4194304x16xf32>, tensor<2x4194304x16xf32>, tensor<2x4194304x16xf32>) -> tensor<2x4194304x16xf32>
  return %0 : tensor<2x4194304x16xf32>
}
