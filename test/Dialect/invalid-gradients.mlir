// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [LOSS-1] input and weight agree on the width
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<11x7xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{'block.cross_entropy' op expected dimension 1 of weight to be 8 (width of the input), got 7}}
  %y = block.cross_entropy %x, %w targets %ids : tensor<2x5x8xf32>, tensor<11x7xf32>
  return
}

// -----

// [LOSS-2] the bias has the vocabulary's size
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>, %b: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 11 (size of the vocabulary), got 8}}
  %y = block.cross_entropy %x, %w targets %ids bias %b : (tensor<2x5x8xf32>, tensor<11x8xf32>, tensor<2x5xi64>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

// [LOSS-3] a target for each row, of the gradient too
func.func @f(%dy: tensor<f32>, %x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x4xi64>) {
  // expected-error @+1 {{'block.cross_entropy_grad' op expected dimension 1 of targets to be 5 (that of the input), got 4}}
  %y = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["input"]} : (tensor<f32>, tensor<2x5x8xf32>, tensor<11x8xf32>, tensor<2x4xi64>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LOSS-4] the soft cap is positive
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected softcap to be positive, got -1}}
  %y = block.cross_entropy %x, %w targets %ids {softcap = -1.0} : tensor<2x5x8xf32>, tensor<11x8xf32>
  return
}

// -----

// [LOSSGRAD-1] a bias that is not there has no gradient
func.func @f(%dy: tensor<f32>, %x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected wrt to name operands of input, weight, got "bias"}}
  %y = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["bias"]} : tensor<2x5x8xf32>, tensor<11x8xf32> -> tensor<11xf32>
  return
}

// -----

// [LOSSGRAD-1] in their order
func.func @f(%dy: tensor<f32>, %x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected wrt to name operands in their order and once each, got ["weight", "input"]}}
  %y:2 = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["weight", "input"]} : tensor<2x5x8xf32>, tensor<11x8xf32> -> (tensor<11x8xf32>, tensor<2x5x8xf32>)
  return
}

// -----

// [LOSSGRAD-2] a result for each
func.func @f(%dy: tensor<f32>, %x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected a result for each of wrt, 2, got 1}}
  %y = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["input", "weight"]} : tensor<2x5x8xf32>, tensor<11x8xf32>
  return
}

// -----

// [LOSSGRAD-2] of its shape
func.func @f(%dy: tensor<f32>, %x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected the gradient by weight to have its shape, 'tensor<11x8xf32>', got 'tensor<8x11xf32>'}}
  %y = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["weight"]} : tensor<2x5x8xf32>, tensor<11x8xf32> -> tensor<8x11xf32>
  return
}

// -----

// [CAPGRAD-1] the soft cap is positive
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected softcap to be positive, got 0}}
  %y = block.softcap_grad %x of %x {softcap = 0.0} : tensor<2x5x8xf32>
  return
}

// -----

// [WGRAD-1] something to multiply
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected at least one gradient and one input, got 1 and 0}}
  %y = "block.weight_grad"(%x) {operandSegmentSizes = array<i32: 1, 0>} : (tensor<2x5x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// [WGRAD-2] the same rows
// expected-note @+1 {{the first gradient comes from here}}
func.func @f(%dy: tensor<2x5x8xf32>, %x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{expected an input to have the rows of the first gradient, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.weight_grad(%dy) of(%x) : tensor<2x5x8xf32>, tensor<2x4x8xf32>
  return
}

// -----

// [WGRAD-3] a row per column of the gradients
func.func @f(%dy: tensor<2x5x8xf32>, %x: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 16 (columns of the gradients), got 8}}
  %y = block.weight_grad(%dy, %dy) of(%x) : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32> -> tensor<8x6xf32>
  return
}

// -----

// [WGRAD-3] a column per column of the inputs
func.func @f(%dy: tensor<2x5x8xf32>, %x: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected dimension 1 of result to be 6 (columns of the inputs), got 8}}
  %y = block.weight_grad(%dy) of(%x) : tensor<2x5x8xf32>, tensor<2x5x6xf32> -> tensor<8x8xf32>
  return
}

// -----

// [COLSUMS-1] or one column, with its rows
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %z: tensor<2x4x1xf32>) {
  // expected-error @+1 {{expected factor to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x1xf32>'}}
  %y = block.column_sums %x times %z : (tensor<2x5x8xf32>, tensor<2x4x1xf32>) -> tensor<8xf32>
  return
}

// -----

// [COLSUMS-1] the factor has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %z: tensor<2x4x8xf32>) {
  // expected-error @+1 {{expected factor to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.column_sums %x times %z : (tensor<2x5x8xf32>, tensor<2x4x8xf32>) -> tensor<8xf32>
  return
}

// -----

// [COLSUMS-2] groups divide the width
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 3}}
  %y = block.column_sums %x {groups = 3} : tensor<2x5x8xf32> -> tensor<8xf32>
  return
}

// -----

// [COLSUMS-3] an element per column of a group
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 4 (one per column of a group), got 8}}
  %y = block.column_sums %x {groups = 2} : tensor<2x5x8xf32> -> tensor<8xf32>
  return
}

// -----

// [EMBGRAD-1] tables have names
func.func @f(%dy: tensor<2x5x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected wrt to name operands of table, position_table, type_table, got "ids"}}
  %y = block.embedding_grad %dy at %ids {wrt = ["ids"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<11x8xf32>
  return
}

// -----

// [EMBGRAD-2] tables are as wide as the gradient
func.func @f(%dy: tensor<2x5x8xf32>, %ids: tensor<2x5xi64>) {
  // expected-error @+1 {{expected dimension 1 of result to be 8 (width of the gradient), got 6}}
  %y = block.embedding_grad %dy at %ids {wrt = ["table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<11x6xf32>
  return
}

// -----

// [EMBGRAD-3] ids for each row
func.func @f(%dy: tensor<2x5x8xf32>, %ids: tensor<2x4xi64>) {
  // expected-error @+1 {{expected dimension 1 of ids to be 5 (that of the gradient), got 4}}
  %y = block.embedding_grad %dy at %ids {wrt = ["table"]} : tensor<2x5x8xf32>, tensor<2x4xi64> -> tensor<11x8xf32>
  return
}

// -----

// [EMBGRAD-4] real tokens are counted from the first one
func.func @f(%dy: tensor<2x5x8xf32>, %ids: tensor<2x5xi64>, %offset: index) {
  // expected-error @+1 {{expected a pad_id without an offset, got both}}
  %y = block.embedding_grad %dy at %ids offset %offset {pad_id = 1, wrt = ["table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<11x8xf32>
  return
}

// -----

// [PATCHGRAD-1] without a class token there is no gradient by it
func.func @f(%dy: tensor<2x4x8xf32>, %pixels: tensor<2x3x4x4xf32>, %w: tensor<8x3x2x2xf32>) {
  // expected-error @+1 {{expected wrt to name operands of pixels, weight, bias, position_table, got "class_token"}}
  %y = block.patch_embedding_grad %dy of %pixels, %w {wrt = ["class_token"]} : tensor<2x4x8xf32>, tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32> -> tensor<8xf32>
  return
}

// -----

// [PATCHGRAD-2] a whole number of patches
func.func @f(%dy: tensor<2x4x8xf32>, %pixels: tensor<2x3x5x4xf32>, %w: tensor<8x3x2x2xf32>) {
  // expected-error @+1 {{expected patch size to be a positive divisor of image size, 5, got 2}}
  %y = block.patch_embedding_grad %dy of %pixels, %w {wrt = ["bias"]} : tensor<2x4x8xf32>, tensor<2x3x5x4xf32>, tensor<8x3x2x2xf32> -> tensor<8xf32>
  return
}

// -----

// [PATCHGRAD-3] a row per token
func.func @f(%dy: tensor<2x4x8xf32>, %pixels: tensor<2x3x4x4xf32>, %w: tensor<8x3x2x2xf32>) {
  // expected-error @+1 {{expected dimension 1 of gradient to be 5 (one row per token), got 4}}
  %y = block.patch_embedding_grad %dy of %pixels, %w class {wrt = ["bias"]} : tensor<2x4x8xf32>, tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32> -> tensor<8xf32>
  return
}

// -----

// [PATCHGRAD-4] a gradient has the shape of what it is by
func.func @f(%dy: tensor<2x5x8xf32>, %pixels: tensor<2x3x4x4xf32>, %w: tensor<8x3x2x2xf32>) {
  // expected-error @+1 {{expected the gradient by position_table to have the sizes 5, 8, got 'tensor<4x8xf32>'}}
  %y = block.patch_embedding_grad %dy of %pixels, %w class {wrt = ["position_table"]} : tensor<2x5x8xf32>, tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32> -> tensor<4x8xf32>
  return
}

// -----

// [NORMGRAD-1] a mean where the form is centred
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected a mean for form #block.norm<kind = layer, eps = 1.0e-05>}}
  %y = block.norm_grad %x of %x moment %s {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>
  return
}

// -----

// [NORMGRAD-2] statistics of each group
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected dimension 2 of moment to be 2 (one per group), got 1}}
  %y = block.norm_grad %x of %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-05>, groups = 2} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMGRAD-3] a gain of a group or of the row
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %g: tensor<5xf32>) {
  // expected-error @+1 {{expected gamma to have 8 or 8 elements (a group, or the whole row), got 5}}
  %y = block.norm_grad %x of %x moment %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [NORMGRAD-4] the gradient has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%dy: tensor<2x4x8xf32>, %x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected gradient to have the shape of input}}
  %y = block.norm_grad %dy of %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<2x4x8xf32>, tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [CLAMPGRAD-1] the limit is positive
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected limit to be positive, got -1}}
  %y = block.clamp_grad %x of %x {limit = -1.0} : tensor<2x5x8xf32>
  return
}

// -----

// [SDPAGRAD-1] tables that are not there have no gradient
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected wrt to name operands of query, key, value, got "shaw_key"}}
  %y = block.sdpa_grad %x of %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.5>, wrt = ["shaw_key"]} : tensor<2x5x8xf32>
  return
}

// -----

// [SDPAGRAD-2] a result for each
func.func @f(%x: tensor<2x5x8xf32>, %k: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected the gradient by key to have its shape, 'tensor<2x5x4xf32>', got 'tensor<2x5x8xf32>'}}
  %y:2 = block.sdpa_grad %x of %x, %k, %k {heads = 2, kv_heads = 1, scores = #block.scores<scale = 0.5>, wrt = ["query", "key"]} : tensor<2x5x8xf32>
  return
}

// -----

// [SDPAGRAD-3] the gradient has the shape of the result
func.func @f(%dy: tensor<2x5x6xf32>, %x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of gradient to be 8 (width of all value heads), got 6}}
  %y = block.sdpa_grad %dy of %x, %x, %x {heads = 2, scores = #block.scores<scale = 0.5>, wrt = ["query"]} : (tensor<2x5x6xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// What holds of an attention holds of its gradient.
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.sdpa_grad' op expected kv_heads to be a positive divisor of heads, 4, got 3}}
  %y = block.sdpa_grad %x of %x, %x, %x {heads = 4, kv_heads = 3, scores = #block.scores<scale = 0.5>, wrt = ["query"]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [ROWDOTS-1] something to multiply with
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.row_dots' op expected a factor or a vector, got neither}}
  %y = block.row_dots %x : tensor<2x5x8xf32>
  return
}

// -----

// [ROWDOTS-2] the factor has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %z: tensor<2x4x8xf32>) {
  // expected-error @+1 {{expected factor to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.row_dots %x times %z : (tensor<2x5x8xf32>, tensor<2x4x8xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [ROWDOTS-2] the vector its width
func.func @f(%x: tensor<2x5x8xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of vector to be 8 (width of the input), got 4}}
  %y = block.row_dots %x vector %v : (tensor<2x5x8xf32>, tensor<4xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [ROWDOTS-3] groups divide the width
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected groups to be a positive divisor of the width, 8, got 3}}
  %y = block.row_dots %x times %x {groups = 3} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

// [ROWDOTS-4] one per row
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x4x1xf32>) {
  // expected-error @+1 {{expected addend to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x1xf32>'}}
  %y = block.row_dots %x times %x plus %s : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x4x1xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [ROWDOTS-4] and group
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 2 (one per group), got 1}}
  %y = block.row_dots %x times %x {groups = 2} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [DEFGRAD-1] a mean and sums if and only if the form is centred
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected a mean and sums for form #block.norm<kind = layer, eps = 1.0e-05>}}
  %y = block.deferred_norm_grad %x of %x mean %s moment %s dots %s {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>
  return
}

// -----

// [DEFGRAD-1] none where it is not
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected no mean and no sums for form #block.norm<kind = rms, eps = 1.0e-05>}}
  %y = block.deferred_norm_grad %x of %x moment %s sums %s dots %s {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  return
}

// -----

// [DEFGRAD-2] one per row
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %t: tensor<2x5x2xf32>) {
  // expected-error @+1 {{expected dimension 2 of dots to be 1 (one per row), got 2}}
  %y = block.deferred_norm_grad %x of %x moment %s dots %t {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFGRAD-3] a gain multiplies a gradient
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %g: tensor<8xf32>) {
  // expected-error @+1 {{expected a gradient for the gamma, got none}}
  %y = block.deferred_norm_grad of %x moment %s dots %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  return
}

// -----

// [DEFGRAD-3] of its width
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of gamma to be 8 (width of the input), got 4}}
  %y = block.deferred_norm_grad %x of %x moment %s dots %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFGRAD-4] the gradient has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %z: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected gradient to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xf32>'}}
  %y = block.deferred_norm_grad %z of %x moment %s dots %s {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<2x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// A gradient is by what has a name.
// expected-error @+1 {{expected "block.grad" to be a string that is not empty, got ""}}
func.func @f(%w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<8x8xf32> {block.grad = ""}) {
  return %w : tensor<8x8xf32>
}

// -----

// [FUNC-5] a loss is a result
// expected-error @+1 {{expected block.loss to name a result, got "loss"}}
func.func @f(%w: tensor<f32> {block.param = "w"}) -> (tensor<f32> {block.output = "y"}) attributes {block.loss = "loss"} {
  return %w : tensor<f32>
}

// -----

// expected-error @+1 {{expected "block.saved" to be a string that is not empty, got ""}}
func.func @f(%w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<8x8xf32> {block.saved = ""}) {
  return %w : tensor<8x8xf32>
}
