// What the CPU engine has no code for among steps of a backward pass is an error that says which.
// RUN: block-opt %s --split-input-file --verify-diagnostics --convert-block-kernels-to-cpu="cpu=x86-64-v3"

func.func @main(%a: tensor<1x3x8xf32>, %b: tensor<1x3x8xbf16>) -> tensor<16x8xf32> {
  // expected-error @+1 {{no CPU code for 'block.weight_grad' of 'f32' beside 'bf16'}}
  %w = block.weight_grad(%a, %b) of(%a) : (tensor<1x3x8xf32>, tensor<1x3x8xbf16>, tensor<1x3x8xf32>) -> tensor<16x8xf32>
  return %w : tensor<16x8xf32>
}

// -----

func.func @main(%x: tensor<1x3x8xf32>, %f: tensor<1x3x1xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{no CPU code for groups of columns with a factor of one column}}
  %s = block.column_sums %x times %f {groups = 2} : (tensor<1x3x8xf32>, tensor<1x3x1xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

func.func @main(%g: tensor<1x3x8xf32>, %ids: tensor<1x3xi64>) -> tensor<5x8xbf16> {
  // expected-error @+1 {{no CPU code for 'block.embedding_grad' with a result of type 'tensor<5x8xbf16>': expected f32}}
  %t = block.embedding_grad %g at %ids {wrt = ["table"]} : (tensor<1x3x8xf32>, tensor<1x3xi64>) -> tensor<5x8xbf16>
  return %t : tensor<5x8xbf16>
}

// -----

func.func @main(%x: tensor<?x?x8xf32>, %w: tensor<5x8xf32> {block.param = "w"}, %t: tensor<?x?xi64>) -> tensor<f32> {
  // expected-error @+1 {{no CPU code for 'block.cross_entropy' over an open number of rows}}
  %l = block.cross_entropy %x, %w targets %t : (tensor<?x?x8xf32>, tensor<5x8xf32>, tensor<?x?xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%d: tensor<f32>, %x: tensor<1x3x8xf32>, %w: tensor<5x8xf32> {block.param = "w"}, %t: tensor<1x3xi64>) -> tensor<5x8xbf16> {
  // expected-error @+1 {{no CPU code for 'block.cross_entropy_grad' with a result of type 'tensor<5x8xbf16>': expected f32}}
  %l = block.cross_entropy_grad %d of %x, %w targets %t {wrt = ["weight"]} : (tensor<f32>, tensor<1x3x8xf32>, tensor<5x8xf32>, tensor<1x3xi64>) -> tensor<5x8xbf16>
  return %l : tensor<5x8xbf16>
}
