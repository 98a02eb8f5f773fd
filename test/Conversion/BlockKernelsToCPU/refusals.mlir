// RUN: block-opt %s --split-input-file --block-to-cpu=cpu=x86-64 --verify-diagnostics

func.func @main(%x: tensor<1x2x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error @+1 {{no CPU code for a kernel of kind 'elements': expected linear, linear_sum, head, sdpa or rows}}
  %0 = block.kernel "elements" (%a = %x : tensor<1x2x4xf32>, %b = %w : tensor<4x4xf32>) -> tensor<1x2x4xf32> {
    %1 = block.linear %a, %b : (tensor<1x2x4xf32>, tensor<4x4xf32>) -> tensor<1x2x4xf32>
    block.yield %1 : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func private @elsewhere(tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
    %1 = block.clamp %a {limit = 1.0 : f64} : tensor<1x2x4xf32>
    block.yield %1 : tensor<1x2x4xf32>
  }
  // expected-error @+1 {{no CPU code for 'func.call' outside a kernel}}
  %2 = func.call @elsewhere(%0) : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %2 : tensor<1x2x4xf32>
}

// -----

// A size that data decide.
func.func @main(%x: tensor<?x1x4xf32>, %n: tensor<1xi64>, %w: tensor<4x4xf32> {block.param = "w"}) -> tensor<?x1x4xf32> {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %n[%c0] : tensor<1xi64>
  %rows = arith.index_cast %number : i64 to index
  %0 = tensor.extract_slice %x[0, 0, 0] [%rows, 1, 4] [1, 1, 1] : tensor<?x1x4xf32> to tensor<?x1x4xf32>
  // expected-error @+1 {{no CPU code for ops that are no blocks where they make a size that no argument has}}
  %1 = block.kernel "rows" (%a = %0 : tensor<?x1x4xf32>) -> tensor<?x1x4xf32> {
    %2 = block.clamp %a {limit = 1.0 : f64} : tensor<?x1x4xf32>
    block.yield %2 : tensor<?x1x4xf32>
  }
  return %1 : tensor<?x1x4xf32>
}
