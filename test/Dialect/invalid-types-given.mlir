// Types that are too few, too many or of nothing that others follow from: one error, at the types.
// RUN: block-opt %s --split-input-file --verify-diagnostics

func.func @few(%arg0: tensor<2x5x8xf32>, %arg1: tensor<16x8xf32>) {
  // expected-error@+1 {{expected the types of input, up_weight or a function type of all operands, got 1 type}}
  %0 = block.mlp %arg0 up %arg1 down %arg1 {activation = #block.activation<relu>} : tensor<2x5x8xf32>
}

// -----

func.func @many(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected the type of input or a function type of all operands, got 2 types}}
  %0 = block.norm %arg0 {form = #block.norm<kind = rms, eps = 0.0>} : tensor<2x5x8xf32>, tensor<8xf32>
}

// -----

// No part of the row has a size.
func.func @groups(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8xf32>) {
  // expected-error@+1 {{expected a function type: not all types follow from input}}
  %0 = block.norm %arg0 gamma %arg1 {form = #block.norm<kind = rms, eps = 0.0>, groups = 3} : tensor<2x5x8xf32>
}

// -----

func.func @heads(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected a function type: not all types follow from query}}
  %0 = block.sdpa %arg0, %arg0, %arg0 {heads = 0, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
}

// -----

func.func @results(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected at most 65536 results, got 70000}}
  %0:70000 = block.partial_stats %arg0 centered {tile = 8} : tensor<2x5x8xf32>
}

// -----

func.func @no_tensor(%arg0: index) {
  // expected-error@+1 {{expected a function type: not all types follow from input}}
  %0 = block.linear %arg0, %arg0 : index
}

// -----

func.func @other(%arg0: tensor<2x5x8xf32>, %arg1: tensor<4x8xf32>) { // expected-note {{prior use here}}
  // expected-error@+1 {{use of value '%arg1' expects different type than prior uses: 'tensor<8x8xf32>' vs 'tensor<4x8xf32>'}}
  %0 = block.linear %arg0, %arg1 : tensor<2x5x8xf32>
}

// -----

func.func @operands(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected 2 operand types, got 1}}
  %0 = block.residual %arg0, %arg0 : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
}

// -----

func.func @results(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected 1 result type, got 2}}
  %0 = block.residual %arg0, %arg0 : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>)
}

// -----

func.func @segments(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{expected a function type: not all types follow from input}}
  %0:2 = block.split %arg0 : tensor<2x5x8xf32>
}

// -----

func.func @attribute(%arg0: tensor<2x5x8xf32>) {
  // expected-error@+1 {{'block.norm' op attribute 'groups' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = block.norm %arg0 {form = #block.norm<kind = rms, eps = 0.0>, groups = 2 : i32} : tensor<2x5x8xf32>
}
