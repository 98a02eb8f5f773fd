// An op that a dialect of this project does not have: the error suggests the op with
// the nearest name, in every tool that has the dialect.
// RUN: block-opt %s --verify-diagnostics --split-input-file
// RUN: not block-run %S/Inputs/misspelt.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=TOOLS
// RUN: not block-translate %S/Inputs/misspelt.mlir --block-to-ptx --chip=sm_90a -o %t.ptx 2>&1 | FileCheck %s --check-prefix=TOOLS
// TOOLS: misspelt.mlir:2:8: error: custom op 'block.activaton' is not known; did you mean 'block.activation'?

// One letter too many, in each dialect.
func.func @block(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.sdpaa' is not known; did you mean 'block.sdpa'?}}
  %0 = block.sdpaa %x, %x, %x
}

// -----

// expected-error @+1 {{custom op 'tile.kernels' is not known; did you mean 'tile.kernel'?}}
tile.kernels @gemm() {
}

// -----

plan.program @main {
  // expected-error @+1 {{custom op 'plan.sizes' is not known; did you mean 'plan.size'?}}
  %x = plan.sizes "batch"
}

// -----

// Two letters that changed places, and two that are missing.
func.func @places(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.lienar' is not known; did you mean 'block.linear'?}}
  %0 = block.lienar %x, %x
}

// -----

func.func @missing(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.atntion' is not known; did you mean 'block.attention'?}}
  %0 = block.atntion %x
}

// -----

// The nearest name is suggested, not the first that is near.
func.func @nearest(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.gatee' is not known; did you mean 'block.gate'?}}
  %0 = block.gatee %x, %x
}

// -----

// No suggestion where no name is near.
func.func @alone(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.frobnicate' is unknown}}
  %0 = block.frobnicate %x
}

// -----

func.func @third(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{custom op 'block.attent' is unknown}}
  %0 = block.attent %x
}

// -----

// expected-error @+1 {{custom op 'tile.quadrilateral' is unknown}}
tile.quadrilateral @gemm() {
}

// -----

// expected-error @+1 {{custom op 'plan.frobnicate' is unknown}}
plan.frobnicate @main {
}
