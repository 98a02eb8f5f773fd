// Forms of gradients of attention without a kernel.
// RUN: block-opt %s --split-input-file --convert-block-kernels-to-tile=chip=sm_90a --verify-diagnostics

func.func @types(%dy: tensor<1x5x8xf32>, %q: tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16> {
  // expected-error @below {{no GPU code for a gradient of type 'f32' of attention in 'bf16': expected one type}}
  %r = block.sdpa_grad %dy of %q, %q, %q {wrt = ["query"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x5x8xf32>, tensor<1x5x8xbf16>, tensor<1x5x8xbf16>, tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16>
  return %r : tensor<1x5x8xbf16>
}

// -----

func.func @heads(%dy: tensor<1x64x1024xf32>, %q: tensor<1x64x1024xf32>) -> tensor<1x64x1024xf32> {
  // expected-error @below {{no GPU code for the gradient of attention with heads of 1024 columns, whose tiles exceed shared memory: run the step on the CPU}}
  %r = block.sdpa_grad %dy of %q, %q, %q {wrt = ["query"], heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5>}
    : (tensor<1x64x1024xf32>, tensor<1x64x1024xf32>, tensor<1x64x1024xf32>, tensor<1x64x1024xf32>) -> tensor<1x64x1024xf32>
  return %r : tensor<1x64x1024xf32>
}

// -----

func.func @stacks(%dy: tensor<1x2x8xf32>, %i: tensor<1x2x1xi64>, %w: tensor<1x2x1xf32>, %u: tensor<4x12x8xbf16>, %d: tensor<4x8x6xbf16>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no GPU code for gradients of experts of 'bf16' and rows of 'f32': convert them to one type}}
  %r = block.experts_grad %dy of %dy at %i by %w up %u down %d {form = #block.experts<activation = silu>, wrt = ["input"]}
    : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x1xi64>, tensor<1x2x1xf32>, tensor<4x12x8xbf16>, tensor<4x8x6xbf16>) -> tensor<1x2x8xf32>
  return %r : tensor<1x2x8xf32>
}

// -----

func.func @many(%dy: tensor<1x2x8xf32>, %i: tensor<1x2x1xi64>, %w: tensor<1x2x1xf32>, %u: tensor<1025x12x8xf32>, %d: tensor<1025x8x6xf32>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no GPU code for gradients of more than 1024 experts, got 1025: run the step on the CPU}}
  %r = block.experts_grad %dy of %dy at %i by %w up %u down %d {form = #block.experts<activation = silu>, wrt = ["input"]}
    : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x1xi64>, tensor<1x2x1xf32>, tensor<1025x12x8xf32>, tensor<1025x8x6xf32>) -> tensor<1x2x8xf32>
  return %r : tensor<1x2x8xf32>
}
