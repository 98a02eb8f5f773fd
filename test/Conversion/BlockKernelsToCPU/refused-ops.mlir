// Ops and types that the CPU engine has no code for are errors, at the op, with what it supports.
// RUN: block-opt %s --split-input-file --verify-diagnostics --convert-block-kernels-to-cpu="cpu=x86-64-v3"

func.func @main(%x: tensor<1x2x4xf64>) -> tensor<1x2x4xf64> {
  // expected-error @below {{no CPU code for a kernel with an operand of type 'tensor<1x2x4xf64>': expected a tensor of f32, bf16, f16 or i64}}
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf64>) -> tensor<1x2x4xf64> {
    %1 = arith.addf %a, %a : tensor<1x2x4xf64>
    block.yield %1 : tensor<1x2x4xf64>
  }
  return %0 : tensor<1x2x4xf64>
}

// -----

func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
    // expected-error @below {{no CPU code for 'arith.extf' with a result of type 'tensor<1x2x4xf64>' in a kernel: expected a tensor of f32, bf16, f16 or i64}}
    %1 = arith.extf %a : tensor<1x2x4xf32> to tensor<1x2x4xf64>
    block.yield %1 : tensor<1x2x4xf64>
  }
  return %0 : tensor<1x2x4xf64>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xbf16> {
  // expected-error @below {{no CPU code for another rounding than to the nearest even number}}
  %0 = arith.truncf %x to_nearest_away : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// expected-error @below {{no CPU code for tensors of type 'tensor<4xi7>': expected f64, f32, bf16, f16, i64, i32, i16, i8 or i1}}
func.func @main(%x: tensor<4xi7>) -> tensor<4xi7> {
  return %x : tensor<4xi7>
}

// -----

// expected-error @below {{no CPU code for argument 1 of type 'f32': expected a tensor}}
func.func @main(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no CPU code for steps beside block.sdpa in a kernel of kind 'sdpa'}}
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %1 = block.sdpa %a, %a, %a {heads = 2 : i64, scores = #block.scores<scale = 0.5>} : tensor<1x2x8xf32>
    %2 = block.clamp %1 {limit = 1.0 : f64} : tensor<1x2x8xf32>
    block.yield %2 : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<1x2x4xf32>, %n: tensor<1xi64>) -> tensor<1x2x4xf32> {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %n[%c0] : tensor<1xi64>
  %first = arith.index_cast %number : i64 to index
  // expected-error @below {{no CPU code for an operand that is no size of an argument}}
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>, %offset = %first : index) -> tensor<1x2x4xf32> {
    %1 = block.rope %a offset %offset {heads = 1 : i64, form = #block.rope<style = half, dim = 4>} : (tensor<1x2x4xf32>, index) -> tensor<1x2x4xf32>
    block.yield %1 : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x4xf32> {block.param = "w"}, %cache: tensor<1x8x4xf32>, %k: tensor<1x1x4xf32>, %n: tensor<1xi64>) -> (tensor<1x8x4xf32>, tensor<1x8x4xf32>) {
  // expected-error @below {{no CPU code for a cache that something else reads}}
  %c = block.cache_append %cache, %k at %n : (tensor<1x8x4xf32>, tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x8x4xf32>
  return %c, %cache : tensor<1x8x4xf32>, tensor<1x8x4xf32>
}

// -----

func.func @main(%x: tensor<1x2x4xf32>, %w: tensor<4x4xf32> {block.param = "w"}, %b: tensor<4xf32> {block.param = "b"}) -> tensor<1x2x4xf32> {
  %b0 = block.bias_sum %b, %b : tensor<4xf32>
  %b1 = block.bias_sum %b0, %b0 : tensor<4xf32>
  %b2 = block.bias_sum %b1, %b1 : tensor<4xf32>
  %b3 = block.bias_sum %b2, %b2 : tensor<4xf32>
  %b4 = block.bias_sum %b3, %b3 : tensor<4xf32>
  %b5 = block.bias_sum %b4, %b4 : tensor<4xf32>
  %b6 = block.bias_sum %b5, %b5 : tensor<4xf32>
  %b7 = block.bias_sum %b6, %b6 : tensor<4xf32>
  %b8 = block.bias_sum %b7, %b7 : tensor<4xf32>
  %b9 = block.bias_sum %b8, %b8 : tensor<4xf32>
  %b10 = block.bias_sum %b9, %b9 : tensor<4xf32>
  %b11 = block.bias_sum %b10, %b10 : tensor<4xf32>
  // expected-error @below {{no CPU code for a weight of which an element is computed from 8191 elements of others: expected at most 4096}}
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x4xf32>, %v = %w : tensor<4x4xf32>, %c = %b11 : tensor<4xf32>) -> tensor<1x2x4xf32> {
    %1 = block.linear %a, %v : (tensor<1x2x4xf32>, tensor<4x4xf32>) -> tensor<1x2x4xf32>
    %2 = block.add_bias %1, %c : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
    block.yield %2 : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %b = block.rope %a {heads = 2 : i64, form = #block.rope<style = half, dim = 4>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no CPU code for 'block.rope' in parts of 8 columns next to parts of 4}}
    %c = block.rope %b {heads = 1 : i64, form = #block.rope<style = half, dim = 8>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %c : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x4xf32> {
    %b = block.rope %a {heads = 1 : i64, form = #block.rope<style = half, dim = 8>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no CPU code for 'block.partial_stats' of every 2 columns of parts of 8}}
    %c = block.partial_stats %b {tile = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
    block.yield %c : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>, %b = %y : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %p:2 = block.partial_stats %a centered {tile = 4 : i64} : tensor<1x2x8xf32>
    %q:2 = block.partial_stats %b centered {tile = 4 : i64} : tensor<1x2x8xf32>
    // expected-error @below {{no CPU code for 'block.merge_stats' of what its own kernel computes: expected all results of one block.partial_stats with its width and tile}}
    %m:2 = block.merge_stats mean %p#0 moment %q#1 {tile = 4 : i64, width = 8 : i64} : tensor<1x2x2xf32>
    %n = block.normalize %a mean %m#0 moment %m#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x2x8xf32>
    block.yield %n : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>, %b = %y : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %p:2 = block.partial_stats %a centered {tile = 4 : i64} : tensor<1x2x8xf32>
    // expected-error @below {{no CPU code for 'block.merge_stats' of what its own kernel computes: expected all results of one block.partial_stats with its width and tile}}
    %m = block.merge_stats moment %p#1 {tile = 4 : i64, width = 8 : i64} : tensor<1x2x2xf32>
    %n = block.normalize %a moment %m {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<1x2x8xf32>
    block.yield %n : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>, %b = %y : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %p:2 = block.partial_stats %a centered {tile = 4 : i64} : tensor<1x2x8xf32>
    // expected-error @below {{no CPU code for 'block.merge_stats' of what its own kernel computes: expected all results of one block.partial_stats with its width and tile}}
    %m:2 = block.merge_stats mean %p#0 moment %p#1 {tile = 5 : i64, width = 8 : i64} : tensor<1x2x2xf32>
    %n = block.normalize %a mean %m#0 moment %m#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x2x8xf32>
    block.yield %n : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}
