// What has no form at level 0 is an error at the op.
// RUN: block-opt %s --split-input-file --verify-diagnostics --convert-block-to-tosa

func.func @main(%x: tensor<2x8x16xf32>, %g: tensor<16xf32>) -> tensor<2x8x16xf32> {
  // expected-error @+1 {{expected an op of level 2, as block-expand makes it}}
  %0 = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// -----

func.func @main(%x: tensor<2x?x16xf32>) -> tensor<2x?x16xf32> {
  // expected-error @+1 {{needs a sequence length that is a number at this level, got a dynamic one}}
  %0 = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %0 : tensor<2x?x16xf32>
}

// -----

func.func @main(%x: tensor<2x8x16xf32>, %p: index) -> tensor<2x8x16xf32> {
  // expected-error @+1 {{has no form at this level with an offset}}
  %0 = block.rope %x offset %p {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x8x16xf32>, index) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}
