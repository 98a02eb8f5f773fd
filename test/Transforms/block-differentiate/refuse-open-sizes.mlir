// Ops of other dialects have gradients where their shapes are numbers; an open size is an error at the op.
// RUN: block-opt %s --block-differentiate="wrt=w,r loss=cross-entropy" --verify-diagnostics --split-input-file

func.func @main(%x: tensor<1x?x8xf32> {block.input = "x"}, %w: tensor<1x?x8xf32> {block.param = "w"}, %r: tensor<1x?xf32> {block.param = "r"}, %head: tensor<5x8xf32>, %t: tensor<1x?xi64> {block.input = "targets"}) -> (tensor<f32> {block.output = "loss"}) {
  // expected-error @+1 {{'tosa.sub' op has a gradient only where its shape is static}}
  %y = tosa.sub %x, %w : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %l = block.cross_entropy %y, %head targets %t : (tensor<1x?x8xf32>, tensor<5x8xf32>, tensor<1x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%x: tensor<1x?x8xf32> {block.input = "x"}, %w: tensor<1x?x8xf32> {block.param = "w"}, %r: tensor<1x?xf32> {block.param = "r"}, %head: tensor<5x8xf32>, %t: tensor<1x?xi64> {block.input = "targets"}) -> (tensor<f32> {block.output = "loss"}) {
  // expected-error @+1 {{'linalg.broadcast' op has a gradient only where its shape is static}}
  %y = linalg.broadcast ins(%r : tensor<1x?xf32>) outs(%x : tensor<1x?x8xf32>) dimensions = [2]
  %l = block.cross_entropy %y, %head targets %t : (tensor<1x?x8xf32>, tensor<5x8xf32>, tensor<1x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%x: tensor<1x?x8xf32> {block.input = "x"}, %w: tensor<1x?x8xf32> {block.param = "w"}, %r: tensor<1x?xf32> {block.param = "r"}, %head: tensor<5x8xf32>, %t: tensor<1x?xi64> {block.input = "targets"}) -> (tensor<f32> {block.output = "loss"}) {
  // expected-error @+1 {{'tensor.concat' op has a gradient only where its shape is static}}
  %y = tensor.concat dim(0) %w : (tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %l = block.cross_entropy %y, %head targets %t : (tensor<1x?x8xf32>, tensor<5x8xf32>, tensor<1x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%x: tensor<1x?x8xf32> {block.input = "x"}, %w: tensor<1x?x8xf32> {block.param = "w"}, %r: tensor<1x?xf32> {block.param = "r"}, %head: tensor<5x8xf32>, %t: tensor<1x?xi64> {block.input = "targets"}) -> (tensor<f32> {block.output = "loss"}) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %w, %c1 : tensor<1x?x8xf32>
  %flat = tensor.collapse_shape %w [[0, 1], [2]] : tensor<1x?x8xf32> into tensor<?x8xf32>
  // expected-error @+1 {{'tensor.expand_shape' op has a gradient only where its shape is static}}
  %y = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %l = block.cross_entropy %y, %head targets %t : (tensor<1x?x8xf32>, tensor<5x8xf32>, tensor<1x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%x: tensor<1x?x8xf32> {block.input = "x"}, %w: tensor<1x?x8xf32> {block.param = "w"}, %r: tensor<1x?xf32> {block.param = "r"}, %head: tensor<5x8xf32>, %t: tensor<1x?xi64> {block.input = "targets"}) -> (tensor<f32> {block.output = "loss"}) {
  %wide = tensor.concat dim(2) %w, %w : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x16xf32>
  // expected-error @+1 {{'block.split' op has no gradient here: nothing reads a segment of dynamic shape}}
  %y, %z = block.split %wide : (tensor<1x?x16xf32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>)
  %l = block.cross_entropy %y, %head targets %t : (tensor<1x?x8xf32>, tensor<5x8xf32>, tensor<1x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}
