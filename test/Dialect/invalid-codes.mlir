// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [GSCALES-1] groups divide the row
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected group to be a positive divisor of the width, 8, got 3}}
  %y = block.group_scales %input {group = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [GSCALES-1] no group of no columns
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected group to be a positive divisor of the width, 8, got 0}}
  %y = block.group_scales %input {group = 0 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [GSCALES-2] an element per group
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 2 (one per group), got 1}}
  %y = block.group_scales %input {group = 4 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [GSCALES-2] of each row
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x2xf32>'}}
  %y = block.group_scales %input {group = 4 : i64} : (tensor<2x5x8xf32>) -> tensor<2x4x2xf32>
  return
}

// -----

// [ENCODE-1] scales of groups of equal size
func.func @f(%input: tensor<2x5x8xf32>, %scales: tensor<2x5x3xf32>) {
  // expected-error @+1 {{expected the width of scales to be a positive divisor of the width, 8, got 3}}
  %y = block.encode_groups %input scales %scales : (tensor<2x5x8xf32>, tensor<2x5x3xf32>) -> tensor<2x5x8xi8>
  return
}

// -----

// [ENCODE-1] of each row
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %scales: tensor<2x4x2xf32>) {
  // expected-error @+1 {{expected scales to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x2xf32>'}}
  %y = block.encode_groups %input scales %scales : (tensor<2x5x8xf32>, tensor<2x4x2xf32>) -> tensor<2x5x8xi8>
  return
}

// -----

// [ENCODE-2] the result has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %scales: tensor<2x5x2xf32>) {
  // expected-error @+1 {{expected result to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xi8>'}}
  %y = block.encode_groups %input scales %scales : (tensor<2x5x8xf32>, tensor<2x5x2xf32>) -> tensor<2x5x4xi8>
  return
}

// -----

// [DECODE-1] scales of groups of equal size
func.func @f(%codes: tensor<2x5x8xi8>, %scales: tensor<2x5x3xf32>) {
  // expected-error @+1 {{expected the width of scales to be a positive divisor of the width, 8, got 3}}
  %y = block.decode_groups %codes scales %scales : (tensor<2x5x8xi8>, tensor<2x5x3xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DECODE-2] the result has the shape of the codes
// expected-note @+1 {{codes comes from here}}
func.func @f(%codes: tensor<2x5x8xi8>, %scales: tensor<2x5x2xf32>) {
  // expected-error @+1 {{expected result to have the shape of codes, 'tensor<2x5x8xi8>', got 'tensor<2x5x4xf32>'}}
  %y = block.decode_groups %codes scales %scales : (tensor<2x5x8xi8>, tensor<2x5x2xf32>) -> tensor<2x5x4xf32>
  return
}
