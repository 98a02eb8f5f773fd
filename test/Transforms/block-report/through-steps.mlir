// What a projection is for shows through the steps behind it: a cast before the norms of
// queries and keys leaves them one launch, a clamp before the split of a merged projection
// leaves each segment what it is.
// RUN: block-opt %s --split-input-file --block-report=format=json -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: "function": "cast"
// CHECK: "launches": 4
func.func @cast(
    %x: tensor<1x4x8xbf16> {block.input = "hidden_states"},
    %q: tensor<8x8xbf16> {block.param = "q.weight"}, %k: tensor<8x8xbf16> {block.param = "k.weight"},
    %o: tensor<8x8xbf16> {block.param = "o.weight"})
    -> (tensor<1x4x8xbf16> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x4x8xbf16> {
    %0 = block.linear %x, %q : (tensor<1x4x8xbf16>, tensor<8x8xbf16>) -> tensor<1x4x8xf32>
    %1 = arith.truncf %0 : tensor<1x4x8xf32> to tensor<1x4x8xbf16>
    %2 = block.norm_stats %1 {groups = 2 : i64} : (tensor<1x4x8xbf16>) -> tensor<1x4x2xf32>
    %3 = block.normalize %1 moment %2 {form = #block.norm<kind = rms, eps = 1.0e-5>, groups = 2 : i64} : (tensor<1x4x8xbf16>, tensor<1x4x2xf32>) -> tensor<1x4x8xbf16>
    %4 = block.linear %x, %k : (tensor<1x4x8xbf16>, tensor<8x8xbf16>) -> tensor<1x4x8xf32>
    %5 = arith.truncf %4 : tensor<1x4x8xf32> to tensor<1x4x8xbf16>
    %6 = block.norm_stats %5 {groups = 2 : i64} : (tensor<1x4x8xbf16>) -> tensor<1x4x2xf32>
    %7 = block.normalize %5 moment %6 {form = #block.norm<kind = rms, eps = 1.0e-5>, groups = 2 : i64} : (tensor<1x4x8xbf16>, tensor<1x4x2xf32>) -> tensor<1x4x8xbf16>
    %8 = block.sdpa %3, %7, %7 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x4x8xbf16>, tensor<1x4x8xbf16>, tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16>
    %9 = block.linear %8, %o : (tensor<1x4x8xbf16>, tensor<8x8xbf16>) -> tensor<1x4x8xbf16>
    %10 = block.residual %x, %9 : (tensor<1x4x8xbf16>, tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16>
    block.yield %10 : tensor<1x4x8xbf16>
  }
  return %y : tensor<1x4x8xbf16>
}

// -----

// The merged weight is 8 x 8 of queries and 16 x 8 of the hidden value.
// CHECK-LABEL: "function": "clamp"
// CHECK: "params_by": {
// CHECK-NEXT: "attention": 128,
// CHECK-NEXT: "mlp": 256,
func.func @clamp(
    %x: tensor<1x4x8xf32> {block.input = "hidden_states"},
    %w: tensor<24x8xf32> {block.param = "in.weight"}, %o: tensor<8x8xf32> {block.param = "o.weight"},
    %d: tensor<8x16xf32> {block.param = "down.weight"})
    -> (tensor<1x4x8xf32> {block.output = "hidden_states"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
    %0 = block.linear %x, %w : (tensor<1x4x8xf32>, tensor<24x8xf32>) -> tensor<1x4x24xf32>
    %1 = block.clamp %0 {limit = 8.0 : f64} : tensor<1x4x24xf32>
    %2:2 = block.split %1 : (tensor<1x4x24xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x16xf32>)
    %3 = block.sdpa %2#0, %2#0, %2#0 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %4 = block.linear %3, %o : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
    %5 = block.activation %2#1 {kind = #block.activation<silu>} : tensor<1x4x16xf32>
    %6 = block.linear %5, %d : (tensor<1x4x16xf32>, tensor<8x16xf32>) -> tensor<1x4x8xf32>
    %7 = block.residual %x, %4, %6 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    block.yield %7 : tensor<1x4x8xf32>
  }
  return %y : tensor<1x4x8xf32>
}
