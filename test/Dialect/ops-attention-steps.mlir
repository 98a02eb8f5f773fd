// The core steps of attention: scores, softmax and sum in one op; the rotation.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @sdpa(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg1, %arg2 {heads = 2, kv_heads = 1, scores = #block.scores<scale = 0.5>}
// CHECK-NEXT: : (tensor<2x5x8xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>) -> tensor<2x5x12xf32>
// CHECK-NEXT: return %0 : tensor<2x5x12xf32>
func.func @sdpa(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x7x4xf32>, %arg2: tensor<2x7x6xf32>) -> tensor<2x5x12xf32> {
  %0 = block.sdpa %arg0, %arg1, %arg2 {heads = 2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<2x5x8xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>) -> tensor<2x5x12xf32>
  return %0 : tensor<2x5x12xf32>
}

// CHECK-LABEL: func.func @every_operand(
// CHECK: %arg5: tensor<2x3x8xf16>) -> tensor<2x5x8xf16> {
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 lengths %arg1 relative %arg2 shaw_key %arg3 shaw_value %arg3 alpha %arg4 beta %arg4 gamma %arg4 past_key %arg5
// CHECK-NEXT: past_value %arg5 {buckets = #block.buckets<>, heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
// CHECK-NEXT: : tensor<2x5x8xf16>, tensor<32x2xf16>, tensor<9x4xf16>, tensor<2x3x8xf16>
// CHECK-NEXT: return %0 : tensor<2x5x8xf16>
func.func @every_operand(%arg0: tensor<2x5x8xf16>, %arg1: tensor<2xi64>, %arg2: tensor<32x2xf16>, %arg3: tensor<9x4xf16>, %arg4: tensor<2xf16>, %arg5: tensor<2x3x8xf16>) -> tensor<2x5x8xf16> {
  %0 = block.sdpa %arg0, %arg0, %arg0 lengths %arg1 relative %arg2 shaw_key %arg3 shaw_value %arg3 alpha %arg4 beta %arg4 gamma %arg4 past_key %arg5 past_value %arg5 {buckets = #block.buckets<>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<2x5x8xf16>, tensor<2x5x8xf16>, tensor<2x5x8xf16>, tensor<2xi64>, tensor<32x2xf16>, tensor<9x4xf16>, tensor<9x4xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2x3x8xf16>, tensor<2x3x8xf16>) -> tensor<2x5x8xf16>
  return %0 : tensor<2x5x8xf16>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 {heads = 4, scores = #block.scores<scale = 0.5, causal = true>} : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: return %0 : tensor<?x?x8xbf16>
func.func @dynamic(%arg0: tensor<?x?x8xbf16>) -> tensor<?x?x8xbf16> {
  %0 = block.sdpa %arg0, %arg0, %arg0 {heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<?x?x8xbf16>, tensor<?x?x8xbf16>, tensor<?x?x8xbf16>) -> tensor<?x?x8xbf16>
  return %0 : tensor<?x?x8xbf16>
}

// CHECK-LABEL: func.func @rope(
// CHECK-NEXT: %0 = block.rope %arg0 {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %1 = block.rope %0 offset %arg1 {form = #block.rope<style = interleaved, dim = 2>, heads = 2} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: return %1 : tensor<2x5x8xf32>
func.func @rope(%arg0: tensor<2x5x8xf32>, %arg1: index) -> tensor<2x5x8xf32> {
  %0 = block.rope %arg0 {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %1 = block.rope %0 offset %arg1 {form = #block.rope<style = interleaved, dim = 2>, heads = 2 : i64} : (tensor<2x5x8xf32>, index) -> tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @score_bias(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 score_bias %arg1 {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>, tensor<2x1x1x5xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @score_bias(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x1x1x5xf32>) -> tensor<2x5x8xf32> {
  %0 = block.sdpa %arg0, %arg0, %arg0 score_bias %arg1 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x1x1x5xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @packed(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 cu_seqlens %arg1 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>} : tensor<1x?x8xf32>, tensor<4xi64>{{$}}
// CHECK-NEXT: return %0 : tensor<1x?x8xf32>
func.func @packed(%arg0: tensor<1x?x8xf32>, %arg1: tensor<4xi64>) -> tensor<1x?x8xf32> {
  %0 = block.sdpa %arg0, %arg0, %arg0 cu_seqlens %arg1 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<4xi64>) -> tensor<1x?x8xf32>
  return %0 : tensor<1x?x8xf32>
}

// CHECK-LABEL: func.func @rotate(
// CHECK-NEXT: %0 = block.rotate %arg0, %arg1, %arg2 {dim = 4, heads = 2, style = #block.rope_style<interleaved>}
// CHECK-NEXT: : (tensor<2x?x8xf32>, tensor<1x?x4xf32>, tensor<2x?x2xf32>) -> tensor<2x?x8xf32>
// CHECK-NEXT: return %0 : tensor<2x?x8xf32>
func.func @rotate(%arg0: tensor<2x?x8xf32>, %arg1: tensor<1x?x4xf32>, %arg2: tensor<2x?x2xf32>) -> tensor<2x?x8xf32> {
  %0 = block.rotate %arg0, %arg1, %arg2 {dim = 4 : i64, heads = 2 : i64, style = #block.rope_style<interleaved>} : (tensor<2x?x8xf32>, tensor<1x?x4xf32>, tensor<2x?x2xf32>) -> tensor<2x?x8xf32>
  return %0 : tensor<2x?x8xf32>
}

// CHECK-LABEL: func.func @caches(
// CHECK-NEXT: %0 = block.rope %arg0 offset %arg2 {form = #block.rope<style = half, dim = 4>, heads = 2} : (tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
// CHECK-NEXT: %1 = block.cache_append %arg1, %0 at %arg2 : tensor<?x?x8xf32>, tensor<?x?x8xf32>{{$}}
// CHECK-NEXT: %2 = block.sdpa %0, %1, %1 past_lengths %arg2 starts %arg3 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>} : tensor<?x?x8xf32>{{$}}
// CHECK-NEXT: return %2, %1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>
func.func @caches(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x8xf32>, %arg2: tensor<?xi64>, %arg3: tensor<?xi64>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  %0 = block.rope %arg0 offset %arg2 {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
  %1 = block.cache_append %arg1, %0 at %arg2 : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
  %2 = block.sdpa %0, %1, %1 past_lengths %arg2 starts %arg3 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>, tensor<?xi64>) -> tensor<?x?x8xf32>
  return %2, %1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @pages(
// CHECK: %0 = block.cache_append %arg1, %arg0 at %arg2 pages %arg3 : tensor<?x16x8xf32>, tensor<?x?x8xf32>, tensor<?x?xi64>{{$}}
// CHECK-NEXT: %1 = block.sdpa %arg0, %0, %0 past_lengths %arg2 pages %arg3 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
// CHECK-NEXT: : (tensor<?x?x8xf32>, tensor<?x16x8xf32>, tensor<?x16x8xf32>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x?x8xf32>
// CHECK-NEXT: return %1, %0 : tensor<?x?x8xf32>, tensor<?x16x8xf32>
func.func @pages(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x16x8xf32>, %arg2: tensor<?xi64>, %arg3: tensor<?x?xi64>) -> (tensor<?x?x8xf32>, tensor<?x16x8xf32>) {
  %0 = block.cache_append %arg1, %arg0 at %arg2 pages %arg3 : (tensor<?x16x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x16x8xf32>
  %1 = block.sdpa %arg0, %0, %0 past_lengths %arg2 pages %arg3 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<?x?x8xf32>, tensor<?x16x8xf32>, tensor<?x16x8xf32>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x?x8xf32>
  return %1, %0 : tensor<?x?x8xf32>, tensor<?x16x8xf32>
}

// CHECK-LABEL: func.func @dropped(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 seed %arg1 {dropout = #block.dropout<rate = 0.1, site = 1>, heads = 2, scores = #block.scores<scale = 0.5>}
// CHECK-NEXT: : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %1:2 = block.sdpa_grad %0 of %arg0, %arg0, %arg0 seed %arg1
// CHECK-NEXT: dropout = #block.dropout<rate = 0.1, site = 1>
// CHECK: return %1#0 : tensor<2x5x8xf32>
func.func @dropped(%arg0: tensor<2x5x8xf32>, %arg1: tensor<1xi64>) -> tensor<2x5x8xf32> {
  %0 = block.sdpa %arg0, %arg0, %arg0 seed %arg1 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>, dropout = #block.dropout<rate = 0.1, site = 1>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi64>) -> tensor<2x5x8xf32>
  %1:2 = block.sdpa_grad %0 of %arg0, %arg0, %arg0 seed %arg1 {wrt = ["query", "value"], heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>, dropout = #block.dropout<rate = 0.1, site = 1>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi64>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>)
  return %1#0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @sinks(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg0, %arg0 sinks %arg1 {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
// CHECK-NEXT: %1:2 = block.sdpa_grad %0 of %arg0, %arg0, %arg0 sinks %arg1
// CHECK-SAME: wrt = ["key", "sinks"]
func.func @sinks(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %0 = block.sdpa %arg0, %arg0, %arg0 sinks %arg1 {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>
  %1:2 = block.sdpa_grad %0 of %arg0, %arg0, %arg0 sinks %arg1 {wrt = ["key", "sinks"], heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32> -> (tensor<2x5x8xf32>, tensor<2xf32>)
  return %1#1 : tensor<2xf32>
}
