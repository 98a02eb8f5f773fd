// Forms of gradients of attention without a kernel.
// RUN: block-opt %s --split-input-file --convert-block-kernels-to-tile=chip=sm_90a --verify-diagnostics

func.func @types(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16> {
  // expected-error @below {{no GPU code for a gradient of type 'f32' of attention in 'bf16': expected one type}}
  %r = block.sdpa_grad %dy of %q, %q, %q {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xbf16>, tensor<1x5x8xbf16>, tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16>
  return %r : tensor<1x5x8xbf16>
}

// -----

func.func @seed(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xf32>, %s: tensor<1xi64>) -> tensor<1x5x8xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with dropout: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q seed %s {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>,
      dropout = #block.dropout<rate = 0.5, site = 3>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1xi64>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}

// -----

func.func @packed(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xf32>, %c: tensor<3xi64>) -> tensor<1x5x8xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with packed sequences: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q cu_seqlens %c {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<3xi64>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}

// -----

func.func @shaw(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xf32>, %t: tensor<7x4xf32>) -> tensor<1x5x8xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with a table of Shaw: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q shaw_key %t {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<7x4xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}

// -----

func.func @bias(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xf32>, %b: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with gradients by a bias of scores: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q score_bias %b {wrt = ["score_bias"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  return %r : tensor<1x2x5x5xf32>
}

// -----

func.func @open(%dy: tensor<1x?x8xf32>, %q: tensor<1x?x8xf32>, %t: tensor<8x2xf32>) -> tensor<8x2xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with a relative table and open sizes: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q relative %t {wrt = ["relative_table"], heads = 2 : i64, kv_heads = 2 : i64,
      scores = #block.scores<scale = 0.5>, buckets = #block.buckets<max_distance = 16, bidirectional = true>}
    : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// -----

func.func @past(%dy: tensor<1x2x8xf32>, %q: tensor<1x2x8xf32>, %p: tensor<1x3x8xf32>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with past keys: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q past_key %p past_value %p {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x2x8xf32>
  return %r : tensor<1x2x8xf32>
}

// -----

func.func @heads(%dy: tensor<1x64x1024xf32>, %q: tensor<1x64x1024xf32>) -> tensor<1x64x1024xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with heads of 1024 columns, whose tiles exceed shared memory: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q {wrt = ["query"], heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x64x1024xf32>, tensor<1x64x1024xf32>, tensor<1x64x1024xf32>, tensor<1x64x1024xf32>) -> tensor<1x64x1024xf32>
  return %r : tensor<1x64x1024xf32>
}
