// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [EMBEDDING-1] the table has the width of the result
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x4xf32>) {
  // expected-error @+1 {{'block.embedding' op expected dimension 1 of table to be 8 (width of the result), got 4}}
  %y = block.embedding %ids in %table : (tensor<2x5xi64>, tensor<11x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-1] so have positions
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %positions: tensor<16x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of position_table to be 8 (width of the result), got 4}}
  %y = block.embedding %ids in %table positions %positions : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-1] and types
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %type_table: tensor<2x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of type_table to be 8 (width of the result), got 4}}
  %y = block.embedding %ids in %table type_table %type_table : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-2] one kind of positions
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %positions: tensor<16x8xf32>) {
  // expected-error @+1 {{expected a position_table or a sinusoid, got both}}
  %y = block.embedding %ids in %table positions %positions {sinusoid = #block.sinusoid<sin_then_cos>} : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-3] type ids need a table
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %types: tensor<2x5xi64>) {
  // expected-error @+1 {{expected a type_table for the type ids, got none}}
  %y = block.embedding %ids in %table types %types : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x5xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-4] a type per id
// expected-note @+1 {{ids comes from here}}
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %types: tensor<2x4xi64>, %type_table: tensor<2x8xf32>) {
  // expected-error @+1 {{expected type_ids to have the shape of ids, 'tensor<2x5xi64>', got 'tensor<2x4xi64>'}}
  %y = block.embedding %ids in %table types %types type_table %type_table : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x4xi64>, tensor<2x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-4] a row per id
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>) {
  // expected-error @+1 {{expected dimension 1 of result to be 5 (that of the ids), got 4}}
  %y = block.embedding %ids in %table : (tensor<2x5xi64>, tensor<11x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [EMBEDDING-5] a pad id counts rows of a table
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>) {
  // expected-error @+1 {{expected a pad_id with a position_table and without an offset}}
  %y = block.embedding %ids in %table {pad_id = 1 : i64} : (tensor<2x5xi64>, tensor<11x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-5] and has no past
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %positions: tensor<16x8xf32>, %offset: index) {
  // expected-error @+1 {{expected a pad_id with a position_table and without an offset}}
  %y = block.embedding %ids in %table positions %positions offset %offset {pad_id = 1 : i64} : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>, index) -> tensor<2x5x8xf32>
  return
}

// -----

// [EMBEDDING-6] one offset per batch row
func.func @f(%ids: tensor<2x5xi64>, %table: tensor<11x8xf32>, %positions: tensor<16x8xf32>, %offset: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 0 of offset to be 2 (one per batch row), got 3}}
  %y = block.embedding %ids in %table positions %positions offset %offset : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [TAKEROWS-1] a row per number
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{expected dimension 1 of result to be 3 (one per number), got 5}}
  %y = block.take_rows %x at %n : (tensor<2x5x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [TAKEROWS-1] rows as they are
func.func @f(%x: tensor<2x5x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{expected the result to have the input's elements, 'f32', got 'bf16'}}
  %y = block.take_rows %x at %n : (tensor<2x5x8xf32>, tensor<3xi64>) -> tensor<2x3x8xbf16>
  return
}

// -----

// [PATCH-1] image and patch agree on channels
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x1x4x4xf32>) {
  // expected-error @+1 {{'block.patch_embedding' op expected dimension 1 of weight to be 3 (channels of the pixels), got 1}}
  %y = block.patch_embedding %pixels, %weight : (tensor<2x3x8x8xf32>, tensor<6x1x4x4xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-2] whole patches
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x3x4xf32>) {
  // expected-error @+1 {{expected patch size to be a positive divisor of image size, 8, got 3}}
  %y = block.patch_embedding %pixels, %weight : (tensor<2x3x8x8xf32>, tensor<6x3x3x4xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-2] of known sizes
func.func @f(%pixels: tensor<2x3x?x8xf32>, %weight: tensor<6x3x4x4xf32>) {
  // expected-error @+1 {{expected static image and patch sizes}}
  %y = block.patch_embedding %pixels, %weight : (tensor<2x3x?x8xf32>, tensor<6x3x4x4xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-3] the bias has the width of the weight
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>, %bias: tensor<5xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 6 (width of the weight), got 5}}
  %y = block.patch_embedding %pixels, %weight bias %bias : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>, tensor<5xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-3] so has the class token
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>, %class: tensor<5xf32>) {
  // expected-error @+1 {{expected dimension 0 of class_token to be 6 (width of the weight), got 5}}
  %y = block.patch_embedding %pixels, %weight class %class : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>, tensor<5xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-3] and the result
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 6 (width of the weight), got 5}}
  %y = block.patch_embedding %pixels, %weight : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

// [PATCH-4] a row per token
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>, %class: tensor<6xf32>) {
  // expected-error @+1 {{expected dimension 1 of result to be 5 (one row per token), got 4}}
  %y = block.patch_embedding %pixels, %weight class %class : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>, tensor<6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-4] a position per token
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>, %positions: tensor<5x6xf32>) {
  // expected-error @+1 {{expected dimension 0 of position_table to be 4 (one row per token), got 5}}
  %y = block.patch_embedding %pixels, %weight positions %positions : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>, tensor<5x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

// [PATCH-4] in every image
func.func @f(%pixels: tensor<2x3x8x8xf32>, %weight: tensor<6x3x4x4xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 2 (batch of the pixels), got 3}}
  %y = block.patch_embedding %pixels, %weight : (tensor<2x3x8x8xf32>, tensor<6x3x4x4xf32>) -> tensor<3x4x6xf32>
  return
}

// -----

// [HEAD-1] the weight reads the input
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<11x4xf32>) {
  // expected-error @+1 {{'block.head' op expected dimension 1 of weight to be 8 (width of the input), got 4}}
  %y = block.head %input, %weight : (tensor<2x5x8xf32>, tensor<11x4xf32>) -> tensor<2x5x11xf32>
  return
}

// -----

// [HEAD-2] the bias has the size of the vocabulary
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<11x8xf32>, %bias: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 11 (size of the vocabulary), got 8}}
  %y = block.head %input, %weight bias %bias : (tensor<2x5x8xf32>, tensor<11x8xf32>, tensor<8xf32>) -> tensor<2x5x11xf32>
  return
}

// -----

// [HEAD-2] so has the result
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<11x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 11 (size of the vocabulary), got 8}}
  %y = block.head %input, %weight : (tensor<2x5x8xf32>, tensor<11x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [HEAD-2] which has the rows of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<11x8xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x11xf32>'}}
  %y = block.head %input, %weight : (tensor<2x5x8xf32>, tensor<11x8xf32>) -> tensor<2x4x11xf32>
  return
}

// -----

// [HEAD-3] the soft cap is positive
func.func @f(%input: tensor<2x5x8xf32>, %weight: tensor<11x8xf32>) {
  // expected-error @+1 {{expected softcap to be positive, got 0.000000e+00}}
  %y = block.head %input, %weight {softcap = 0.0 : f64} : (tensor<2x5x8xf32>, tensor<11x8xf32>) -> tensor<2x5x11xf32>
  return
}
