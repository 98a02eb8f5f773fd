// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

// [LINSUM-1] a weight per input
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) {
  // expected-error @+1 {{'block.linear_sum' op expected one weight per input and at least one, got 2 inputs and 1 weights}}
  %y = block.linear_sum(%x, %x) weights(%w) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LINSUM-1] at least one
func.func @f() {
  // expected-error @+1 {{expected one weight per input and at least one, got 0 inputs and 0 weights}}
  %y = block.linear_sum() weights() : () -> tensor<2x5x8xf32>
  return
}

// -----

// [LINSUM-2] a weight reads its input
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of weight to be 8 (width of its input), got 4}}
  %y = block.linear_sum(%x) weights(%w) : (tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LINSUM-3] weights have the width of the result
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of weight to be 8 (width of the result), got 4}}
  %y = block.linear_sum(%x) weights(%w) : (tensor<2x5x8xf32>, tensor<4x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LINSUM-3] so has the bias
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 8 (width of the result), got 4}}
  %y = block.linear_sum(%x) weights(%w) bias %b : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [LINSUM-4] inputs and result have the same rows
func.func @f(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) {
  // expected-note @+2 {{result comes from here}}
  // expected-error @+1 {{expected input to have the rows of result, 'tensor<2x4x8xf32>', got 'tensor<2x5x8xf32>'}}
  %y = block.linear_sum(%x) weights(%w) : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [SPLIT-1] segments leave no gap
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.split' op expected the segments to be 8 wide together, got 7}}
  %y:2 = block.split %x : (tensor<2x5x8xf32>) -> (tensor<2x5x3xf32>, tensor<2x5x4xf32>)
  return
}

// -----

// [SPLIT-2] segments have all rows
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected segment to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.split %x : (tensor<2x5x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [SPLIT-2] and the element type
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected segments of 'f32', got 'tensor<2x5x8xbf16>'}}
  %y = block.split %x : (tensor<2x5x8xf32>) -> tensor<2x5x8xbf16>
  return
}

// -----

// [DEFERRED-1] a centred form has a mean and sums
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{'block.deferred_norm' op expected a mean and sums for form #block.norm<kind = layer, eps = 0.0>}}
  %y = block.deferred_norm %x moment %s {form = #block.norm<kind = layer, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFERRED-1] others have neither
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{expected no mean and no sums for form #block.norm<kind = rms, eps = 0.0>}}
  %y = block.deferred_norm %x moment %s sums %v {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFERRED-2] sums have the width of the input
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of sums to be 8 (width of the input), got 4}}
  %y = block.deferred_norm %x mean %s moment %s sums %v {form = #block.norm<kind = layer, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFERRED-2] so has the bias
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 8 (width of the input), got 4}}
  %y = block.deferred_norm %x moment %s bias %v {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFERRED-3] a statistic per row
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x2xf32>) {
  // expected-error @+1 {{expected dimension 2 of moment to be 1 (one per row), got 2}}
  %y = block.deferred_norm %x moment %s {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x2xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [DEFERRED-4] the result has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected result to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x5x4xf32>'}}
  %y = block.deferred_norm %x moment %s {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

// [DEFERRED-5] a mean that rows can lose
func.func @f(%x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{'block.deferred_norm' op expected a mean where it is centrable, got none}}
  %y = block.deferred_norm %x moment %s centrable {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [BIAS-1] the bias has the width of the input
func.func @f(%x: tensor<2x5x8xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'block.add_bias' op expected dimension 0 of bias to be 8 (width of the input), got 4}}
  %y = block.add_bias %x, %v : (tensor<2x5x8xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [BIAS-2] the result has the shape of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{expected result to have the shape of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.add_bias %x, %v : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [PARTIAL-1] mean and M2
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.partial_stats' op expected 2 results, got 1}}
  %y = block.partial_stats %x centered {tile = 4 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [PARTIAL-2] a tile has columns
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected tile to be positive, got 0}}
  %y = block.partial_stats %x {tile = 0 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [PARTIAL-3] an element per tile, also of the short last one
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected dimension 2 of partial to be 3 (one per tile), got 2}}
  %y = block.partial_stats %x {tile = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [MERGE-1] an element per tile
func.func @f(%s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{'block.merge_stats' op expected dimension 2 of moment to be 3 (one per tile), got 1}}
  %y = block.merge_stats moment %s {tile = 4 : i64, width = 10 : i64} : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [MERGE-1] of columns that are there
func.func @f(%s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected width and tile to be positive, got 10 and 0}}
  %y = block.merge_stats moment %s {tile = 0 : i64, width = 10 : i64} : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  return
}

// -----

// [MERGE-2] a mean from means
func.func @f(%s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected 1 results, got 2}}
  %y:2 = block.merge_stats moment %s {tile = 8 : i64, width = 8 : i64} : (tensor<2x5x1xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  return
}

// -----

// [MERGE-3] an element per row
func.func @f(%s: tensor<2x5x1xf32>) {
  // expected-error @+1 {{expected dimension 2 of statistic to be 1 (one per row), got 2}}
  %y = block.merge_stats moment %s {tile = 8 : i64, width = 8 : i64} : (tensor<2x5x1xf32>) -> tensor<2x5x2xf32>
  return
}

// -----

// [FOLDGAIN-1] a gain per column
func.func @f(%w: tensor<4x8xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'block.fold_gain' op expected dimension 0 of gamma to be 8 (columns of the weight), got 4}}
  %y = block.fold_gain %w, %v {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [FOLDBIAS-1] beta has an element per column
func.func @f(%w: tensor<4x8xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'block.fold_bias' op expected dimension 0 of beta to be 8 (columns of the weight), got 4}}
  %y = block.fold_bias %w beta %v : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// [FOLDBIAS-2] the bias has one per row
func.func @f(%w: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of bias to be 4 (rows of the weight), got 8}}
  %y = block.fold_bias %w bias %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

// [FOLDBIAS-2] so has the result
func.func @f(%w: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 4 (rows of the weight), got 8}}
  %y = block.fold_bias %w : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

// [SUMS-1] a sum per row
func.func @f(%w: tensor<4x8xf32>) {
  // expected-error @+1 {{'block.weight_sums' op expected dimension 0 of result to be 4 (rows of the weight), got 8}}
  %y = block.weight_sums %w : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

// [BIASSUM-1] something to add
func.func @f() {
  // expected-error @+1 {{'block.bias_sum' op expected at least one bias, got none}}
  %y = block.bias_sum : () -> tensor<8xf32>
  return
}

// -----

// [BIASSUM-1] of one width
func.func @f(%v: tensor<4xf32>) {
  // expected-note @+2 {{result comes from here}}
  // expected-error @+1 {{expected bias to have the shape of result, 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %y = block.bias_sum %v : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// [FOLDSCALE-1] one gain, or one per row
func.func @f(%w: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{'block.fold_scale' op expected gain to have 1 or 4 elements (one, or one per row of the weight), got 8}}
  %y = block.fold_scale %w by %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [UNPACK-1] a code per column, or two in a byte
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x1xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 1 of codes to be 4 (half the columns of the result), got 8}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int4>} : (tensor<4x8xi8>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [UNPACK-1] the rows of the result
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x1xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 0 of codes to be 5 (rows of the result), got 4}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : (tensor<4x8xi8>, tensor<4x1xf32>) -> tensor<5x8xf32>
  return
}

// -----

// [UNPACK-1] half as many rows are cells of 16 rows, in the order of lanes
func.func @f(%c: tensor<12x128xi8>, %s: tensor<1x24xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected whole cells of 16 rows in the order of lanes, got 'tensor<12x128xi8>' and scales 'tensor<1x24xf32>' of 'tensor<24x64xbf16>'}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : (tensor<12x128xi8>, tensor<1x24xf32>) -> tensor<24x64xbf16>
  return
}

// -----

// [UNPACK-1] columns of the last cell that are past the end have codes, too
func.func @f(%c: tensor<8x192xi8>, %s: tensor<1x16xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 1 of codes to be 256 (128 for each cell), got 192}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : (tensor<8x192xi8>, tensor<1x16xf32>) -> tensor<16x96xbf16>
  return
}

// -----

// [UNPACK-2] groups of the order of lanes are whole cells, or parts of whole products
func.func @f(%c: tensor<8x128xi8>, %s: tensor<8x16xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected groups of whole cells, or of equal parts of one in the order of lanes, got 'tensor<8x128xi8>' and scales 'tensor<8x16xf32>' of 'tensor<16x64xbf16>'}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>, group = 8} : (tensor<8x128xi8>, tensor<8x16xf32>) -> tensor<16x64xbf16>
  return
}

// -----

// [UNPACK-1] lanes read int8 as signed numbers
func.func @f(%c: tensor<8x128xui8>, %s: tensor<1x16xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected no operand of ui8 in the order of lanes, got 'tensor<8x128xui8>' and scales 'tensor<1x16xf32>' of 'tensor<16x64xbf16>'}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : (tensor<8x128xui8>, tensor<1x16xf32>) -> tensor<16x64xbf16>
  return
}

// -----

// [UNPACK-3] zero points of the order of lanes have a row for each group
func.func @f(%c: tensor<8x128xi8>, %s: tensor<2x16xf32>, %z: tensor<16x2xi8>) {
  // expected-error @+1 {{expected dimension 0 of zeros to be 2 (one per group), got 16}}
  %w = block.unpack_weight %c, %s zeros %z {form = #block.code_form<int8>, group = 32} : (tensor<8x128xi8>, tensor<2x16xf32>, tensor<16x2xi8>) -> tensor<16x64xbf16>
  return
}

// -----

// [UNPACK-1] lanes read zero points as signed numbers
func.func @f(%c: tensor<8x128xi8>, %s: tensor<2x16xf32>, %z: tensor<2x16xui8>) {
  // expected-error @+1 {{expected no operand of ui8 in the order of lanes}}
  %w = block.unpack_weight %c, %s zeros %z {form = #block.code_form<int8>, group = 32} : (tensor<8x128xi8>, tensor<2x16xf32>, tensor<2x16xui8>) -> tensor<16x64xbf16>
  return
}

// -----

// [UNPACK-1] 128 bytes of two rows for each cell
func.func @f(%c: tensor<8x64xi8>, %s: tensor<1x16xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 1 of codes to be 128 (128 for each cell), got 64}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : (tensor<8x64xi8>, tensor<1x16xf32>) -> tensor<16x64xbf16>
  return
}

// -----

// [UNPACK-3] scales of a group beside each other, in the order of lanes
func.func @f(%c: tensor<8x256xi8>, %s: tensor<16x2xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 0 of scales to be 2 (one per group), got 16}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int4>, group = 128} : (tensor<8x256xi8>, tensor<16x2xf32>) -> tensor<16x256xbf16>
  return
}

// -----

// [UNPACK-2] no byte is in two groups
func.func @f(%c: tensor<4x8xui8>, %s: tensor<4x6xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected group to be 0 or a positive even number, got 3}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<mxfp4>, group = 3} : (tensor<4x8xui8>, tensor<4x6xf32>) -> tensor<4x16xf32>
  return
}

// -----

// [UNPACK-2] no group of less than nothing
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x1xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected group to be 0 or a positive number, got -1}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>, group = -1} : (tensor<4x8xi8>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [UNPACK-3] a scale per group, the last of which is shorter
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x2xf32>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 1 of scales to be 3 (one per group), got 2}}
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>, group = 3} : (tensor<4x8xi8>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [UNPACK-4] floats have their own zero
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x1xf32>, %z: tensor<4x1xi8>) {
  // expected-error @+1 {{'block.unpack_weight' op expected no zeros for form fp8}}
  %w = block.unpack_weight %c, %s zeros %z {form = #block.code_form<fp8>} : (tensor<4x8xi8>, tensor<4x1xf32>, tensor<4x1xi8>) -> tensor<4x8xf32>
  return
}

// -----

// [UNPACK-4] as many zeros as scales
func.func @f(%c: tensor<4x8xi8>, %s: tensor<4x1xf32>, %z: tensor<4x2xi8>) {
  // expected-error @+1 {{'block.unpack_weight' op expected dimension 1 of zeros to be 1 (one per group), got 2}}
  %w = block.unpack_weight %c, %s zeros %z {form = #block.code_form<int8>} : (tensor<4x8xi8>, tensor<4x1xf32>, tensor<4x2xi8>) -> tensor<4x8xf32>
  return
}

// -----

// [KERNEL-1] an argument per operand
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'block.kernel' op expected region arguments of types 'tensor<2x5x8xf32>', got }}
  "block.kernel"(%x) <{kind = "linear"}> ({
    block.yield
  }) : (tensor<2x5x8xf32>) -> ()
  return
}

// -----

// [KERNEL-2] results are what the region yields
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected to yield 'tensor<2x5x4xf32>', got 'tensor<2x5x8xf32>'}}
  %y = block.kernel "rows" (%a = %x : tensor<2x5x8xf32>) -> tensor<2x5x4xf32> {
    block.yield %a : tensor<2x5x8xf32>
  }
  return
}

// -----

// A kind that is none
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{unknown kind of kernel 'scan': expected one of linear, linear_sum, sdpa, head, rows, elements}}
  %y = block.kernel "scan" (%a = %x : tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    block.yield %a : tensor<2x5x8xf32>
  }
  return
}

// -----

// The same in other words
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{attribute 'kind' failed to satisfy constraint: a kind of kernel: linear, linear_sum, sdpa, head, rows or elements}}
  "block.kernel"() <{kind = "scan"}> ({
    block.yield
  }) : () -> ()
  return
}

// -----

// [KERNEL-2] the region ends with a yield
func.func @f() {
  // expected-error @+1 {{expected the region to end with block.yield}}
  "block.kernel"() <{kind = "linear"}> ({
    "test.other_end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// [MATDOTS-1] both have the same shape
// expected-note @+1 {{left comes from here}}
func.func @f(%w: tensor<4x8xf32>, %v: tensor<8x4xf32>) {
  // expected-error @+1 {{expected right to have the shape of left, 'tensor<4x8xf32>', got 'tensor<8x4xf32>'}}
  %y = block.matrix_dots %w, %v : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

// [MATDOTS-2] one element per column
func.func @f(%w: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 8 (columns of the matrices), got 4}}
  %y = block.matrix_dots %w, %w : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

// [MATDOTS-2] or per row
func.func @f(%w: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 4 (rows of the matrices), got 8}}
  %y = block.matrix_dots rows %w, %w : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

// [OUTER-1] the matrix has the shape of the result
func.func @f(%w: tensor<4x4xf32>, %v: tensor<4xf32>, %k: tensor<8xf32>) {
  // expected-note @+2 {{result comes from here}}
  // expected-error @+1 {{expected matrix to have the shape of result, 'tensor<4x8xf32>', got 'tensor<4x4xf32>'}}
  %y = block.outer_update to %w of %v, %k : (tensor<4x4xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// [OUTER-2] a row per element of left
func.func @f(%v: tensor<4xf32>, %k: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of left to be 8 (rows of the result), got 4}}
  %y = block.outer_update of %v, %k : (tensor<4xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// [OUTER-2] a column per element of right
func.func @f(%v: tensor<4xf32>, %k: tensor<8xf32>) {
  // expected-error @+1 {{expected dimension 0 of right to be 4 (columns of the result), got 8}}
  %y = block.outer_update of %v, %k : (tensor<4xf32>, tensor<8xf32>) -> tensor<4x4xf32>
  return
}
