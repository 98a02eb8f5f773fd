// What there is no GPU code for: one error at the kernel or the step that is in
// the way, with the numbers, and nothing else.
// RUN: block-opt %s --block-to-gpu=chip=sm_90a --split-input-file --verify-diagnostics
// RUN: block-opt %s --block-to-gpu=chip=sm_80 --split-input-file --verify-diagnostics
// RUN: echo 'module {}' | not block-opt --block-to-gpu=chip=sm_42 2>&1 | FileCheck %s --check-prefix=CHIP --implicit-check-not=error: --implicit-check-not=note:
// CHIP: error: unknown chip 'sm_42': expected sm_80, sm_90a, sm_90a-h100, sm_90a-h200, sm_90a-h100-pcie or sm_90a-h20

// Past keys whose number is known late: positions begin there.
func.func @past(%x: tensor<2x1x8xf32>, %w: tensor<8x8xf32>, %past: tensor<2x?x8xf32>) -> tensor<2x1x8xf32> {
  %one = arith.constant 1 : index
  %first = tensor.dim %past, %one : tensor<2x?x8xf32>
  // expected-error @below {{no GPU code for a kernel with an operand of type 'index': expected a tensor of f32, bf16, f16 or integers}}
  %0 = block.kernel "linear" (%a = %x : tensor<2x1x8xf32>, %b = %w : tensor<8x8xf32>, %offset = %first : index) -> tensor<2x1x8xf32> {
    %l = block.linear %a, %b : (tensor<2x1x8xf32>, tensor<8x8xf32>) -> tensor<2x1x8xf32>
    %r = block.rope %l offset %offset {heads = 2 : i64, form = #block.rope<style = half, dim = 4>} : (tensor<2x1x8xf32>, index) -> tensor<2x1x8xf32>
    block.yield %r : tensor<2x1x8xf32>
  }
  return %0 : tensor<2x1x8xf32>
}

// -----

func.func @double(%x: tensor<1x2x8xf64>, %y: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no GPU code for a kernel with an operand of type 'tensor<1x2x8xf64>': expected a tensor of f32, bf16, f16 or integers}}
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf64>, %b = %y : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %r = block.residual %b, %b : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %r : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

// The columns of a head are rotated in one tile.
func.func @wide_head(%x: tensor<1x2x640xbf16>, %w: tensor<640x640xbf16>) -> tensor<1x2x640xf32> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x640xbf16>, %b = %w : tensor<640x640xbf16>) -> tensor<1x2x640xf32> {
    // expected-error @below {{no tile of 1 times 256 / 1 columns holds a head of 320}}
    %l = block.linear %a, %b : (tensor<1x2x640xbf16>, tensor<640x640xbf16>) -> tensor<1x2x640xf32>
    %r = block.rope %l {heads = 2 : i64, form = #block.rope<style = half, dim = 320>} : (tensor<1x2x640xf32>) -> tensor<1x2x640xf32>
    block.yield %r : tensor<1x2x640xf32>
  }
  return %0 : tensor<1x2x640xf32>
}

// -----

// Rows of queries, scores and sums that stay in shared memory.
func.func @wide_attention(%x: tensor<1x2x40000xf32>) -> tensor<1x2x40000xf32> {
  // expected-error @below {{bytes of shared memory, expected at most}}
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x40000xf32>) -> tensor<1x2x40000xf32> {
    %s = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x40000xf32>, tensor<1x2x40000xf32>, tensor<1x2x40000xf32>) -> tensor<1x2x40000xf32>
    block.yield %s : tensor<1x2x40000xf32>
  }
  return %0 : tensor<1x2x40000xf32>
}

// -----

// Only one product in a kernel.
func.func @two_products(%x: tensor<1x2x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x2x8xf32> {
    %l = block.linear %a, %b : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no code for two products in one kernel}}
    %m = block.linear %l, %b : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    block.yield %m : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

// A step before the first launch, and one after it.
func.func @before(%x: tensor<1x2x8xf32> {block.input = "x"}, %w: tensor<8x8xf32>) -> tensor<1x2x8xf32> {
  // expected-error @below {{no GPU code for 'block.linear' outside a kernel}}
  %l = block.linear %x, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  %0 = block.kernel "rows" (%a = %l : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %r = block.residual %a, %a : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %r : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @after(%x: tensor<1x2x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %r = block.residual %a, %a : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %r : tensor<1x2x8xf32>
  }
  // expected-error @below {{no GPU code for 'block.linear' outside a kernel}}
  %l = block.linear %0, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  return %l : tensor<1x2x8xf32>
}

// -----


func.func @split_of_relu(%x: tensor<1x2x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x8xf32>, %c = %w : tensor<16x8xf32>) -> tensor<1x2x8xf32> {
    %1 = block.linear %a, %c : (tensor<1x2x8xf32>, tensor<16x8xf32>) -> tensor<1x2x16xf32>
    %2 = block.activation %1 {kind = #block.activation<relu>} : tensor<1x2x16xf32>
    // expected-error @+1 {{no code for a split of what is computed from a product}}
    %3:2 = block.split %2 : (tensor<1x2x16xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    %4 = block.residual %3#0, %3#1 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %4 : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

// What is written in the cache's own memory would be read here.
func.func @old_cache(%c: tensor<1x9x8xf32> {block.input = "c"}, %x: tensor<1x2x8xf32> {block.input = "x"}, %n: tensor<1xi64> {block.input = "n"}) -> (tensor<1x9x8xf32>, tensor<1x9x8xf32>) {
  // expected-error @below {{no GPU code for a cache that something else reads}}
  %0 = block.cache_append %c, %x at %n : (tensor<1x9x8xf32>, tensor<1x2x8xf32>, tensor<1xi64>) -> tensor<1x9x8xf32>
  %1 = block.kernel "rows" (%a = %c : tensor<1x9x8xf32>) -> tensor<1x9x8xf32> {
    %r = block.residual %a, %a : (tensor<1x9x8xf32>, tensor<1x9x8xf32>) -> tensor<1x9x8xf32>
    block.yield %r : tensor<1x9x8xf32>
  }
  return %0, %1 : tensor<1x9x8xf32>, tensor<1x9x8xf32>
}
