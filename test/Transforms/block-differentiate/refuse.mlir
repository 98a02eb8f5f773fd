// What cannot be differentiated is refused by name, where it stands; what is not asked
// about is not.
// RUN: block-opt %s --block-differentiate="wrt=w loss=sum" --verify-diagnostics --split-input-file

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %s = block.add_bias %x, %w : tensor<2x3x8xf32>
  // expected-error @+1 {{'math.exp' op has no gradient}}
  %y = math.exp %s : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Behind which nothing depends on w.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %e = math.exp %x : tensor<2x3x8xf32>
  %y = block.add_bias %e, %w : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Or that nothing reads.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %y = block.add_bias %x, %w : tensor<2x3x8xf32>
  %e = math.exp %y : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  // expected-error @+1 {{'func.call' op has no gradient}}
  %y = func.call @add(%x, %w) : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}
func.func private @add(%x: tensor<2x3x8xf32>, %w: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %y = block.add_bias %x, %w : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// In a layer, too.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %c: tensor<8x8xi8> {block.param = "c"}, %w: tensor<8x1xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %y = block.layer "h.0" at 0 -> tensor<2x3x8xf32> {
    // expected-error @+1 {{'block.unpack_weight' op has no gradient}}
    %u = block.unpack_weight %c, %w {form = #block.code_form<int8>} : tensor<8x8xi8>, tensor<8x1xf32> -> tensor<8x8xf32>
    %p = block.linear %x, %u : tensor<2x3x8xf32>
    block.yield %p : tensor<2x3x8xf32>
  }
  return %y : tensor<2x3x8xf32>
}

// -----

// Statistics of a row of another width do not move with what is behind a projection.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}, %v: tensor<8x8xf32> {block.param = "v"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %b = block.add_bias %x, %w : tensor<2x3x8xf32>
  %s = block.norm_stats %b : tensor<2x3x8xf32>
  %p = block.linear %b, %v : tensor<2x3x8xf32>
  // expected-error @+1 {{'block.deferred_norm' op has a gradient only where its statistics are those of a row of its width}}
  %d = block.deferred_norm %p moment %s {form = #block.norm<kind = rms, eps = 1.0e-05>, width = 16} : tensor<2x3x8xf32>
  return %d : tensor<2x3x8xf32>
}

// -----

// Statistics of another value do not move with what is normalised.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %s = block.norm_stats %x : tensor<2x3x8xf32>
  %b = block.add_bias %x, %w : tensor<2x3x8xf32>
  // expected-error @+1 {{'block.normalize' op has a gradient only where its statistics are those of its input}}
  %y = block.normalize %b moment %s {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Nor are statistics results by themselves.
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8xf32> {block.param = "w"}) -> (tensor<2x3x1xf32> {block.output = "y"}) {
  %b = block.add_bias %x, %w : tensor<2x3x8xf32>
  // expected-error @+1 {{'block.norm_stats' op has a gradient only by way of block.normalize}}
  %s = block.norm_stats %b : tensor<2x3x8xf32>
  return %s : tensor<2x3x1xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<1x3x2xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  // expected-error @+1 {{'block.rotate' op has no gradient by its cosines and sines}}
  %y = block.rotate %x, %w, %w {dim = 4, heads = 2, style = #block.rope_style<half>} : tensor<2x3x8xf32>, tensor<1x3x2xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<2xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  // expected-error @+1 {{'block.sdpa' op has no gradient by its slopes}}
  %y = block.sdpa %x, %x, %x slopes %w {heads = 2, scores = #block.scores<scale = 0.5, alibi_max = 8.0>} : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3xi64> {block.input = "x"}, %w: tensor<5x8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %first = arith.constant 5 : index
  // expected-error @+1 {{'block.embedding' op has no gradient where it holds a part of a vocabulary}}
  %y = block.embedding %x in %w first_id %first : tensor<2x3xi64>, tensor<5x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %t: tensor<2x3xi64> {block.input = "targets"}, %v: tensor<5x8xf32> {block.param = "v"}, %w: tensor<f32> {block.param = "w"}) -> (tensor<f32> {block.output = "y"}) {
  // expected-error @+1 {{'block.cross_entropy' op has no gradient by its divisor}}
  %y = block.cross_entropy %x, %v targets %t divisor %w : tensor<2x3x8xf32>, tensor<5x8xf32>
  return %y : tensor<f32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %at: index {block.input = "at"}, %w: tensor<2x8x8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  // expected-error @+1 {{'tensor.extract_slice' op has a gradient only for static ranges}}
  %s = tensor.extract_slice %w[%at, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<2x8x8xf32> to tensor<8x8xf32>
  %y = block.linear %x, %s : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x?x8xf32> {block.input = "x", block.dims = ["t"]}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %l = block.linear %x, %w : tensor<2x?x8xf32>
  return %zero : tensor<f32>
}

// -----

// expected-error @+1 {{expected results with names and static shapes for loss=sum, got y of type 'tensor<2x?x8xf32>'}}
func.func @main(%x: tensor<2x?x8xf32> {block.input = "x", block.dims = ["t"]}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<2x?x8xf32> {block.output = "y"}) {
  %l = block.linear %x, %w : tensor<2x?x8xf32>
  return %l : tensor<2x?x8xf32>
}

// -----

// expected-error @+1 {{expected results with names and static shapes for loss=sum, got one without a name of type 'tensor<8x8xf32>'}}
func.func @main(%w: tensor<8x8xf32> {block.param = "w"}) -> tensor<8x8xf32> {
  return %w : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{expected a result of floats for loss=sum}}
func.func @main(%x: tensor<2xi64> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<2xi64> {block.output = "y"}) {
  return %x : tensor<2xi64>
}

// -----

// expected-error @+1 {{expected wrt to name arguments of floats, got "w" of type 'tensor<2xi64>': ids, lengths and masks of integers have no gradient}}
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<2xi64> {block.input = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  return %x : tensor<2x3x8xf32>
}

// -----

// expected-error @+1 {{expected wrt to be params, inputs, all or names of arguments, got "w"}}
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  return %x : tensor<2x3x8xf32>
}

// -----

// expected-error @+1 {{expected @other to have one block to differentiate}}
func.func @other(%w: tensor<8xf32> {block.param = "w"}) -> (tensor<8xf32> {block.output = "y"}) {
  cf.br ^bb1
^bb1:
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected a function with a body, got none}}
module {
  func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
}

// -----

func.func @main(%w: tensor<8xf32> {block.param = "w"}) -> (tensor<8xf32> {block.output = "y"}) {
  return %w : tensor<8xf32>
}
// expected-error @+1 {{expected no @main_step yet, which is what differentiation makes}}
func.func @main_step() {
  return
}

// -----

// expected-error @+1 {{expected the result to depend on "w", whose gradient would be zeros of dynamic shape}}
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<2x?x8xf32> {block.input = "w", block.dims = ["t"]}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  return %x : tensor<2x3x8xf32>
}

// -----

func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<1x1x8xf32> {block.param = "w"}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  // expected-error @+1 {{'tosa.pow' op has no gradient by its exponent}}
  %y = tosa.pow %x, %w : (tensor<2x3x8xf32>, tensor<1x1x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Numbers that are looked up at places that are computed there.
func.func @main(%ids: tensor<2x3xi64> {block.input = "ids"}, %w: tensor<5x3xf32> {block.param = "w"}) -> (tensor<2x3xf32> {block.output = "y"}) {
  %empty = tensor.empty() : tensor<2x3xf32>
  // expected-error @+1 {{'linalg.generic' op has no gradient}}
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%empty : tensor<2x3xf32>) {
  ^bb0(%id: i64, %old: f32):
    %twice = arith.addi %id, %id : i64
    %place = arith.index_cast %twice : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %w[%place, %column] : tensor<5x3xf32>
    linalg.yield %element : f32
  } -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{"w" has no gradient: its lookups leave out different rows}}
func.func @main(%ids: tensor<2x3xi64> {block.input = "ids"}, %w: tensor<5x8xf32> {block.param = "w", differentiate.frozen_row = -1 : i64}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %y = block.embedding %ids in %w : tensor<2x3xi64>, tensor<5x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// expected-error @+1 {{"w" has no gradient: it is looked up by way of something else, and one of its rows is left out}}
func.func @main(%ids: tensor<2x3xi64> {block.input = "ids"}, %w: tensor<9x8xf32> {block.param = "w", differentiate.frozen_row = 1 : i64}) -> (tensor<2x3x8xf32> {block.output = "y"}) {
  %part = tensor.extract_slice %w[0, 0] [5, 8] [1, 1] : tensor<9x8xf32> to tensor<5x8xf32>
  %y = block.embedding %ids in %part : tensor<2x3xi64>, tensor<5x8xf32>
  return %y : tensor<2x3x8xf32>
}
