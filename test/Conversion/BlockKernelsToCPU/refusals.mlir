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

// A size that is made, not passed.
func.func @main(%x: tensor<?x2x4xf32>, %w: tensor<4x4xf32> {block.param = "w"}) -> tensor<?x1x4xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x2x4xf32> into tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %0, %c0 : tensor<?x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%rows, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
  // expected-error @+1 {{no CPU code for ops that are no blocks where they make a size that no argument has}}
  %2 = block.kernel "rows" (%a = %1 : tensor<?x1x4xf32>) -> tensor<?x1x4xf32> {
    %3 = block.clamp %a {limit = 1.0 : f64} : tensor<?x1x4xf32>
    block.yield %3 : tensor<?x1x4xf32>
  }
  return %2 : tensor<?x1x4xf32>
}

// -----

func.func @main(%x: tensor<2x4xf32>, %i: tensor<2xi64>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<2xi64>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %c2 = arith.constant 1 : i64
    %ok = arith.cmpi slt, %row, %c2 : i64
    // expected-error @+1 {{no code for an assertion, other than that an index is one of the tensor that it reads}}
    cf.assert %ok, "row"
    %at = arith.index_cast %row : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %x[%at, %column] : tensor<2x4xf32>
    linalg.yield %element : f32
  } -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @main(%q: tensor<1x2x4xf32>, %table: tensor<8x1xf32> {block.param = "t"}) -> tensor<1x2x4xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x2x4xf32>, %t = %table : tensor<8x1xf32>) -> tensor<1x2x4xf32> {
    // expected-error @+1 {{no CPU code for buckets up to distance 4: expected more than 4 and at most 65536}}
    %1 = block.sdpa %a, %a, %a relative %t {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 5.0e-01>, buckets = #block.buckets<max_distance = 4>} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<8x1xf32>) -> tensor<1x2x4xf32>
    block.yield %1 : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x8xf32>, %c = %w : tensor<16x8xf32>) -> tensor<1x2x8xf32> {
    %1 = block.linear %a, %c : (tensor<1x2x8xf32>, tensor<16x8xf32>) -> tensor<1x2x16xf32>
    %2 = block.activation %1 {kind = #block.activation<relu>} : tensor<1x2x16xf32>
    // expected-error @+1 {{no code for a split of what is computed from a product}}
    %3:2 = block.split %2 : (tensor<1x2x16xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    %4 = block.residual %3#0, %3#1 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %4 : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%ids: tensor<1x2xi64>, %table: tensor<4x3xf32>) -> tensor<1x2x3xf32> {
  %0 = block.kernel "rows" (%i = %ids : tensor<1x2xi64>, %t = %table : tensor<4x3xf32>) -> tensor<1x2x3xf32> {
    // expected-error @+1 {{no CPU code for 'block.embedding' with a sinusoid of odd width 3}}
    %1 = block.embedding %i in %t {sinusoid = #block.sinusoid<sin_cos_pairs>} : (tensor<1x2xi64>, tensor<4x3xf32>) -> tensor<1x2x3xf32>
    block.yield %1 : tensor<1x2x3xf32>
  }
  return %0 : tensor<1x2x3xf32>
}

// -----

func.func @main(%q: tensor<1x2x8xbf16>, %k: tensor<1x2x8xf32>) -> tensor<1x2x8xbf16> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x2x8xbf16>, %b = %k : tensor<1x2x8xf32>) -> tensor<1x2x8xbf16> {
    // expected-error @below {{no CPU code for attention in several types: expected keys and values of 'bf16', as queries are, got 'f32'}}
    %s = block.sdpa %a, %b, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x8xbf16>, tensor<1x2x8xf32>, tensor<1x2x8xbf16>) -> tensor<1x2x8xbf16>
    block.yield %s : tensor<1x2x8xbf16>
  }
  return %0 : tensor<1x2x8xbf16>
}

// -----

func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
    // expected-error @below {{no CPU code for 'arith.extf' with a result of type 'tensor<1x2x4xf64>' in a kernel: expected a tensor of f32, bf16, f16 or i64}}
    %p = arith.extf %a : tensor<1x2x4xf32> to tensor<1x2x4xf64>
    block.yield %p : tensor<1x2x4xf64>
  }
  return %0 : tensor<1x2x4xf64>
}

// -----

func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
    // expected-error @below {{no CPU code for 'block.rope' with a table of 'f64': expected f32, bf16 or f16}}
    %p = block.rope %a {heads = 1 : i64, form = #block.rope<style = half, dim = 4, table_type = f64>} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    block.yield %p : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    // expected-error @below {{no CPU code for 'block.sdpa' with an alibi_type of 'f64': expected f32, bf16 or f16}}
    %s = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0, causal = true, alibi_max = 8.0, alibi_type = f64>} : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %s : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xbf16> {
  // expected-error @below {{no CPU code for another rounding than to the nearest even number}}
  %0 = arith.truncf %x downward : tensor<2x4xf32> to tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

func.func @main(%w: tensor<2x4xf32> {block.param = "w"}) -> tensor<2x4xbf16> {
  // expected-error @below {{no CPU code for another rounding than to the nearest even number}}
  %0 = arith.truncf %w toward_zero : tensor<2x4xf32> to tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}
