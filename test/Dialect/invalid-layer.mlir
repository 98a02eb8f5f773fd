// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

// [LAYER-1] the index is not negative
func.func @f() {
  // expected-error @+1 {{'block.layer' op expected index to be at least 0, got -1}}
  block.layer "h" at -1 {
    block.yield
  }
  return
}

// -----

// [LAYER-2] results are what the region yields
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected to yield 'tensor<2x5x8xf32>', got }}
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    // expected-note @+1 {{yielded here}}
    block.yield
  }
  return
}

// -----

// [LAYER-2] of the same types
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected to yield 'tensor<2x5x4xf32>', got 'tensor<2x5x8xf32>'}}
  %y = block.layer "h.0" at 0 -> tensor<2x5x4xf32> {
    // expected-note @+1 {{yielded here}}
    block.yield %x : tensor<2x5x8xf32>
  }
  return
}

// -----

// [LAYER-2] the region ends with a yield
func.func @f() {
  // expected-error @+1 {{expected the region to end with block.yield}}
  "block.layer"() <{label = "h.0", index = 0 : i64}> ({
    "test.other_end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// [LAYER-3] the label is not empty
func.func @f() {
  // expected-error @+1 {{expected label not to be empty}}
  block.layer "" at 0 {
    block.yield
  }
  return
}

// -----

// [RESIDUAL-1] branches have the shape of the stream
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %branch: tensor<2x5x4xf32>) {
  // expected-error @+1 {{'block.residual' op expected branch to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xf32>'}}
  %y = block.residual %x, %branch : (tensor<2x5x8xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [RESIDUAL-2] a scale per branch
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected branch_scales to have 1 entries (one per branch), got 2}}
  %y = block.residual %x, %x {branch_scales = [1.0, 2.0]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [SCALE-1] one gain, or one per channel
func.func @f(%x: tensor<2x5x8xf32>, %gain: tensor<5xf32>) {
  // expected-error @+1 {{'block.scale' op expected gain to have 1 or 8 elements (one, or one per channel), got 5}}
  %y = block.scale %x by %gain : (tensor<2x5x8xf32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [REPARAM-1] start and change have one shape
// expected-note @+1 {{delta comes from here}}
func.func @f(%delta: tensor<8x8xf32>, %initial: tensor<8x4xf32>) {
  // expected-error @+1 {{'block.reparam' op expected initial to have the shape of delta, 'tensor<8x8xf32>', got 'tensor<8x4xf32>'}}
  %y = block.reparam %delta from %initial : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

// [REPARAM-2] the identity is square
func.func @f(%delta: tensor<8x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of delta to be 8 (square, as there is no initial matrix), got 4}}
  %y = block.reparam %delta : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @stream_of_another_width(%x: tensor<2x5x8xf32>, %s: tensor<2x5x4xi32>) -> tensor<2x5x8xi32> {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %y = block.stream_add %x to %s : tensor<2x5x8xf32>, tensor<2x5x4xi32> -> tensor<2x5x8xi32>
  return %y : tensor<2x5x8xi32>
}

// -----

func.func @stream_of_i64(%s: tensor<2x5x8xi64>) -> tensor<2x5x8xf32> {
  // expected-error @+1 {{operand #0 must be 3D tensor of i32 with a static width of at least 1}}
  %y = block.stream_value %s : tensor<2x5x8xi64> -> tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
