// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [MLP-1] up reads the input
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x7xf32>, %down: tensor<8x16xf32>) {
  // expected-error @+1 {{'block.mlp' op expected dimension 1 of up_weight to be 8 (width of the input), got 7}}
  %y = block.mlp %input up %up down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x7xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-1] up and gate have one shape
// expected-note @+1 {{up_weight comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %gate: tensor<12x8xf32>, %down: tensor<8x16xf32>) {
  // expected-error @+1 {{expected gate_weight to have the shape of up_weight, 'tensor<16x8xf32>', got 'tensor<12x8xf32>'}}
  %y = block.mlp %input up %up gate %gate down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<12x8xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-2] down reads the hidden width
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<8x12xf32>) {
  // expected-error @+1 {{expected dimension 1 of down_weight to be 16 (hidden width), got 12}}
  %y = block.mlp %input up %up down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x12xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-3] the bias of up
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<8x16xf32>, %up_bias: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of up_bias to be 16 (hidden width), got 8}}
  %y = block.mlp %input up %up down %down up_bias %up_bias {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-3] the bias of the gate
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %gate: tensor<16x8xf32>, %down: tensor<8x16xf32>, %gate_bias: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of gate_bias to be 16 (hidden width), got 8}}
  %y = block.mlp %input up %up gate %gate down %down gate_bias %gate_bias {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-3] which needs a gate
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<8x16xf32>, %gate_bias: tensor<16xf32>) {
  // expected-error @+1 {{expected a gate_weight for the gate_bias, got none}}
  %y = block.mlp %input up %up down %down gate_bias %gate_bias {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-3] the bias of down
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<8x16xf32>, %down_bias: tensor<16xf32>) {
  // expected-error @+1 {{expected dimension 0 of down_bias to be 8 (width of down_weight), got 16}}
  %y = block.mlp %input up %up down %down down_bias %down_bias {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-4] the result has the width of down
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<6x16xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 6 (width of down_weight), got 8}}
  %y = block.mlp %input up %up down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<6x16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MLP-4] and the rows of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %up: tensor<16x8xf32>, %down: tensor<8x16xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.mlp %input up %up down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [LINEAR-1] the weight reads the input
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<16x7xf32>) {
  // expected-error @+1 {{'block.linear' op expected dimension 1 of weight to be 8 (width of the input), got 7}}
  %y = block.linear %input, %weight : (tensor<2x5x8xf32>, tensor<16x7xf32>) -> tensor<2x5x16xf32>
  return
}

// -----

// [LINEAR-2] the bias has the width of the weight
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<16x8xf32>, %bias: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 16 (width of the weight), got 8}}
  %y = block.linear %input, %weight bias %bias : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8xf32>) -> tensor<2x5x16xf32>
  return
}

// -----

// [LINEAR-2] so has the result
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<16x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 16 (width of the weight), got 8}}
  %y = block.linear %input, %weight : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LINEAR-3] which has the rows of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<16x8xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<1x5x16xf32>'}}
  %y = block.linear %input, %weight : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<1x5x16xf32>
  return
}

// -----

// [CLAMP-1] the limit is positive
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.clamp' op expected limit to be positive, got -1.000000e+00}}
  %y = block.clamp %x {limit = -1.0 : f64} : tensor<2x5x8xf32>
  return
}

// -----

// Types that may be equal at run time are not one type.
func.func @f(%gate: tensor<2x?x8xf32>, %up: tensor<?x?x8xf32>) {
  // expected-error @+1 {{failed to verify that all of {gate, up, result} have same type}}
  %y = "block.gate"(%gate, %up) {kind = #block.activation<silu>} : (tensor<2x?x8xf32>, tensor<?x?x8xf32>) -> tensor<2x?x8xf32>
  return
}
