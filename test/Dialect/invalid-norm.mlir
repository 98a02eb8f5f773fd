// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [NORM-1] the result has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.norm' op expected result to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xf32>'}}
  %y = block.norm %input {form = #block.norm<kind = layer, eps = 0.0>} : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

// [NORM-2] groups divide the row
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 3}}
  %y = block.norm %input {form = #block.norm<kind = layer, eps = 0.0>, groups = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORM-2] there are groups
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 0}}
  %y = block.norm %input {form = #block.norm<kind = layer, eps = 0.0>, groups = 0 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORM-3] a gain per channel
func.func @f(%input: tensor<2x5x8xf32>, %gamma: tensor<5xf32>) {
  // expected-error @+1 {{expected gamma to have 8 or 8 elements (a group, or the whole row), got 5}}
  %y = block.norm %input gamma %gamma {form = #block.norm<kind = layer, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORM-3] a bias per channel of a group
func.func @f(%input: tensor<2x5x8xf32>, %beta: tensor<2xf32>) {
  // expected-error @+1 {{expected beta to have 4 or 8 elements (a group, or the whole row), got 2}}
  %y = block.norm %input beta %beta {form = #block.norm<kind = layer, eps = 0.0>, groups = 2 : i64} : (tensor<2x5x8xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [STATS-1] mean and variance
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.norm_stats' op expected 2 results (mean and variance), got 1}}
  %y = block.norm_stats %input centered : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [STATS-1] mean of squares
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected 1 results (mean of squares), got 2}}
  %y:2 = block.norm_stats %input : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  return
}

// -----

// [STATS-2] groups divide the row
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 3}}
  %y = block.norm_stats %input {groups = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

// [STATS-3] an element per group
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of statistic to be 2 (one per group), got 1}}
  %y = block.norm_stats %input {groups = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [STATS-3] of each row
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected statistic to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x1xf32>'}}
  %y = block.norm_stats %input : (tensor<2x5x8xf32>) -> tensor<2x4x1xf32>
  return
}

// -----

// [NORMALIZE-1] a centred form has a mean
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x5x1xf32>) {
  // expected-error @+1 {{'block.normalize' op expected a mean for form #block.norm<kind = layer, eps = 0.0>}}
  %y = block.normalize %input moment %moment {form = #block.norm<kind = layer, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-1] others have none
func.func @f(%input: tensor<2x5x8xf32>, %mean: tensor<2x5x1xf32>, %moment: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected no mean for form #block.norm<kind = rms, eps = 0.0>}}
  %y = block.normalize %input mean %mean moment %moment {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-2] statistics of each group
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected dimension 2 of moment to be 2 (one per group), got 1}}
  %y = block.normalize %input moment %moment {form = #block.norm<kind = rms, eps = 0.0>, groups = 2 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-2] of each row
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x4x1xf32>) {
  // expected-error @+1 {{expected moment to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x1xf32>'}}
  %y = block.normalize %input moment %moment {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<2x4x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-2] of whole groups
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x5x3xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 3}}
  %y = block.normalize %input moment %moment {form = #block.norm<kind = rms, eps = 0.0>, groups = 3 : i64} : (tensor<2x5x8xf32>, tensor<2x5x3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-3] a gain per channel
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x5x1xf32>, %gamma: tensor<5xf32>) {
  // expected-error @+1 {{expected gamma to have 8 or 8 elements (a group, or the whole row), got 5}}
  %y = block.normalize %input moment %moment gamma %gamma {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMALIZE-4] the result has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %moment: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected result to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xf32>'}}
  %y = block.normalize %input moment %moment {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
  return
}
