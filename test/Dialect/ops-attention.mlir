// What people draw: attention with every optional operand and attribute.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @smallest(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg2 {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>, tensor<8x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @smallest(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg2 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// Four query heads share two key heads; the value head has another size.
// CHECK-LABEL: func.func @grouped_heads(
// CHECK: %arg5: tensor<?xi64>) -> tensor<?x?x8xbf16> {
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg2 v %arg3 o %arg4 lengths %arg5
// CHECK-NEXT: {clip = 8.0, heads = 4, kv_heads = 2, rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 0.5, causal = true, window = 3>}
// CHECK-NEXT: : (tensor<?x?x8xbf16>, tensor<16x8xbf16>, tensor<8x8xbf16>, tensor<6x8xbf16>, tensor<8x12xbf16>, tensor<?xi64>) -> tensor<?x?x8xbf16>
// CHECK-NEXT: return %0 : tensor<?x?x8xbf16>
func.func @grouped_heads(%arg0: tensor<?x?x8xbf16>, %arg1: tensor<16x8xbf16>, %arg2: tensor<8x8xbf16>, %arg3: tensor<6x8xbf16>, %arg4: tensor<8x12xbf16>, %arg5: tensor<?xi64>) -> tensor<?x?x8xbf16> {
  %0 = block.attention %arg0 q %arg1 k %arg2 v %arg3 o %arg4 lengths %arg5 {clip = 8.000000e+00 : f64, heads = 4 : i64, kv_heads = 2 : i64, rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 5.000000e-01, causal = true, window = 3>} : (tensor<?x?x8xbf16>, tensor<16x8xbf16>, tensor<8x8xbf16>, tensor<6x8xbf16>, tensor<8x12xbf16>, tensor<?xi64>) -> tensor<?x?x8xbf16>
  return %0 : tensor<?x?x8xbf16>
}

// CHECK-LABEL: func.func @biases(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 q_bias %arg2 k_bias %arg2 v_bias %arg2 o_bias %arg2
// CHECK-NEXT: {heads = 2, scores = #block.scores<scale = 1.0>} : tensor<2x5x8xf16>, tensor<8x8xf16>
// CHECK-NEXT: return %0 : tensor<2x5x8xf16>
func.func @biases(%arg0: tensor<2x5x8xf16>, %arg1: tensor<8x8xf16>, %arg2: tensor<8xf16>) -> tensor<2x5x8xf16> {
  %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 q_bias %arg2 k_bias %arg2 v_bias %arg2 o_bias %arg2 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.000000e+00>} : (tensor<2x5x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<2x5x8xf16>
  return %0 : tensor<2x5x8xf16>
}

// CHECK-LABEL: func.func @qk_norm(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 q_gamma %arg2 q_beta %arg2 k_gamma %arg2 k_beta %arg2
// CHECK-NEXT: {heads = 2, qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.0e-05>>, scores = #block.scores<scale = 0.5>} : tensor<2x5x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @qk_norm(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4xf32>) -> tensor<2x5x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 q_gamma %arg2 q_beta %arg2 k_gamma %arg2 k_beta %arg2 {heads = 2 : i64, kv_heads = 2 : i64, qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.000000e-05>>, scores = #block.scores<scale = 5.000000e-01>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @packed(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 cu_seqlens %arg2 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
// CHECK-NEXT: : tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<?xi64>
// CHECK-NEXT: return %0 : tensor<1x5x8xf32>
func.func @packed(%arg0: tensor<1x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<?xi64>) -> tensor<1x5x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg1 cu_seqlens %arg2 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<?xi64>) -> tensor<1x5x8xf32>
  return %0 : tensor<1x5x8xf32>
}

// CHECK-LABEL: func.func @cross(
// CHECK: %arg4: tensor<2xi64>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %0 = block.attention %arg0 memory %arg1 q %arg2 k %arg3 v %arg3 o %arg2 lengths %arg4 {heads = 2, scores = #block.scores<scale = 0.5>}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @cross(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x7x6xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x6xf32>, %arg4: tensor<2xi64>) -> tensor<2x5x8xf32> {
  %0 = block.attention %arg0 memory %arg1 q %arg2 k %arg3 v %arg3 o %arg2 lengths %arg4 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01>} : (tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x8xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @tables_and_gains(
// CHECK: %arg5: tensor<1xf32>) -> tensor<2x5x8xf32> {
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 relative %arg2 shaw_key %arg3 shaw_value %arg3 alpha %arg4 beta %arg5 gamma %arg4
// CHECK-NEXT: {buckets = #block.buckets<bidirectional = true>, heads = 2, scores = #block.scores<scale = 1.0>}
// CHECK-NEXT: : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32x2xf32>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>)
// CHECK-NEXT: -> tensor<2x5x8xf32>
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @tables_and_gains(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<32x2xf32>, %arg3: tensor<9x4xf32>, %arg4: tensor<2xf32>, %arg5: tensor<1xf32>) -> tensor<2x5x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg1 relative %arg2 shaw_key %arg3 shaw_value %arg3 alpha %arg4 beta %arg5 gamma %arg4 {buckets = #block.buckets<bidirectional = true>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.000000e+00>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32x2xf32>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @past(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 past_key %arg2 past_value %arg2 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
// CHECK-NEXT: : tensor<2x1x8xf32>, tensor<8x8xf32>, tensor<2x?x8xf32>
// CHECK-NEXT: return %0 : tensor<2x1x8xf32>
func.func @past(%arg0: tensor<2x1x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<2x?x8xf32>) -> tensor<2x1x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 o %arg1 past_key %arg2 past_value %arg2 {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 5.000000e-01, causal = true>} : (tensor<2x1x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x?x8xf32>, tensor<2x?x8xf32>) -> tensor<2x1x8xf32>
  return %0 : tensor<2x1x8xf32>
}

// CHECK-LABEL: func.func @dropped(
// CHECK-NEXT: %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 seed %arg2
// CHECK-SAME: dropout = #block.dropout<rate = 0.25>
func.func @dropped(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<1xi64>) -> tensor<2x5x8xf32> {
  %0 = block.attention %arg0 q %arg1 k %arg1 v %arg1 seed %arg2 {heads = 2, scores = #block.scores<scale = 0.5>, dropout = #block.dropout<rate = 0.25>} : tensor<2x5x8xf32>, tensor<8x8xf32>
  return %0 : tensor<2x5x8xf32>
}
