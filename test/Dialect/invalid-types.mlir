// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

// No tensor of f64: computing in f64 is what an engine does, not what a model says.
func.func @f(%x: tensor<2x5x8xf64>) {
  // expected-error @+1 {{'block.activation' op operand #0 must be 1D/2D/3D/4D tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x5x8xf64>'}}
  %y = block.activation %x {kind = #block.activation<relu>} : tensor<2x5x8xf64>
  return
}

// -----

// Hidden states have three dimensions.
func.func @f(%x: tensor<5x8xf32>) {
  // expected-error @+1 {{'block.rope' op operand #0 must be 3D tensor of f32, bf16 or f16 with a static width of at least 1, but got 'tensor<5x8xf32>'}}
  %y = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

// Their width is static: heads and groups are cut from it.
func.func @f(%x: tensor<2x5x?xf32>) {
  // expected-error @+1 {{'block.rope' op operand #0 must be 3D tensor of f32, bf16 or f16 with a static width of at least 1, but got 'tensor<2x5x?xf32>'}}
  %y = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x5x?xf32>) -> tensor<2x5x?xf32>
  return
}

// -----

// Weights are static.
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<?x8xf32>) {
  // expected-error @+1 {{'block.linear' op operand #1 must be static 2D tensor of f32, bf16 or f16 without a size of 0, but got 'tensor<?x8xf32>'}}
  %y = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<?x8xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

// No weight is empty: kernels divide by widths.
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<0x8xf32>) {
  // expected-error @+1 {{'block.linear' op operand #1 must be static 2D tensor of f32, bf16 or f16 without a size of 0, but got 'tensor<0x8xf32>'}}
  %y = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<0x8xf32>) -> tensor<2x5x0xf32>
  return
}

// -----

// Nor is a row.
func.func @f(%x: tensor<2x5x0xf32>) {
  // expected-error @+1 {{'block.norm' op operand #0 must be 3D tensor of f32, bf16 or f16 with a static width of at least 1, but got 'tensor<2x5x0xf32>'}}
  %y = block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x5x0xf32>) -> tensor<2x5x0xf32>
  return
}

// -----

// Gains are.
func.func @f(%x: tensor<2x5x8xf32>, %g: tensor<?xf32>) {
  // expected-error @+1 {{'block.scale' op operand #1 must be static 1D tensor of f32, bf16 or f16 without a size of 0, but got 'tensor<?xf32>'}}
  %y = block.scale %x by %g : (tensor<2x5x8xf32>, tensor<?xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// Statistics are f32.
func.func @f(%x: tensor<2x5x8xbf16>) {
  // expected-error @+1 {{'block.norm_stats' op result #0 must be variadic of 3D tensor of f32 with a static last dimension of at least 1, but got 'tensor<2x5x1xbf16>'}}
  %y = block.norm_stats %x : (tensor<2x5x8xbf16>) -> tensor<2x5x1xbf16>
  return
}

// -----

// A region of a layer has one basic block.
func.func @f() {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  "block.layer"() <{label = "h.0", index = 0 : i64}> ({
    "cf.br"()[^bb1] : () -> ()
  ^bb1:
    block.yield
  }) : () -> ()
  return
}

// -----

// A yield ends a region of this dialect only.
func.func @f() {
  // expected-error @+1 {{'block.yield' op expects parent op to be one of 'block.layer, block.kernel'}}
  block.yield
}

// -----

// An attribute needs its choices spelled as they are.
// expected-error @+2 {{expected ::parablock::block::NormKind to be one of: layer, rms, l2}}
// expected-error @+1 {{failed to parse Block_NormAttr parameter 'kind'}}
func.func private @f() attributes {a = #block.norm<kind = batch, eps = 0.0>}
