// What is split is @main_step, once, and has gradients and other results.
// RUN: block-opt %s --block-split-step --verify-diagnostics --split-input-file

// expected-error @+1 {{expected a function of one block with gradients and other results, which block-differentiate makes of @main, got none}}
module {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// expected-error @+1 {{expected a function of one block with gradients and other results, which block-differentiate makes of @main_step, got none}}
module {
  func.func @main_step(%x: tensor<8xf32> {block.input = "x"}) -> (tensor<8xf32> {block.output = "y"}) {
    return %x : tensor<8xf32>
  }
}

// -----

// expected-error @+1 {{expected a function of one block with gradients and other results, which block-differentiate makes of @main_step, got none}}
module {
  func.func @main_step(%x: tensor<8xf32> {block.input = "x"}) -> (tensor<8xf32> {block.grad = "x"}) {
    return %x : tensor<8xf32>
  }
}

// -----

func.func @main_step(%x: tensor<8xf32> {block.input = "x"})
    -> (tensor<8xf32> {block.output = "y"}, tensor<8xf32> {block.grad = "x"}) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}
// expected-error @+1 {{expected no @main_backward yet, which is what splitting makes}}
func.func @main_backward(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
