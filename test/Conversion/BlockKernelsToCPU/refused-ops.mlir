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
