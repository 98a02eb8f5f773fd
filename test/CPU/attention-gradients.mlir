// Heads that share keys: one launch over query heads, then one for the sums of each of both. Those by past
// keys are a part of the sums.
// RUN: block-opt %s --convert-block-kernels-to-cpu="function=shared cpu=x86-64-v3" | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-cpu="function=own cpu=x86-64-v3" | FileCheck %s --check-prefix=OWN
// RUN: block-opt %s --convert-block-kernels-to-cpu="function=past cpu=x86-64-v3" | FileCheck %s --check-prefix=PAST

// CHECK: plan.launch @kernels::@sdpa_grad_0(
// CHECK-NEXT: items 4 x [2] x []
// CHECK: plan.launch @kernels::@sdpa_grad_sum
// CHECK: plan.launch @kernels::@sdpa_grad_sum
// CHECK-NOT: plan.launch
func.func @shared(%dy: tensor<2x5x12xf32>, %q: tensor<2x5x12xf32>, %k: tensor<2x5x6xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %r:3 = block.sdpa_grad %dy of %q, %k, %k {wrt = ["query", "key", "value"], heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}

// OWN: plan.launch @kernels::@sdpa_grad_0
// OWN-NOT: plan.launch
func.func @own(%dy: tensor<2x5x12xf32>, %q: tensor<2x5x12xf32>, %k: tensor<2x5x12xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>) {
  %r:3 = block.sdpa_grad %dy of %q, %k, %k {wrt = ["query", "key", "value"], heads = 4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>
}

// Of the eight keys, the first three are past.
// PAST: plan.launch @kernels::@sdpa_grad_0(
// PAST: plan.launch @kernels::@sdpa_grad_sum_{{.*}}_part(
// PAST-NEXT: dims [2, 5, 8, 3]
// PAST: plan.launch @kernels::@sdpa_grad_sum_{{.*}}_part(
// PAST-NEXT: dims [2, 3, 8, 0]
// PAST-NOT: plan.launch
func.func @past(%dy: tensor<2x5x12xf32>, %q: tensor<2x5x12xf32>, %k: tensor<2x5x6xf32>, %p: tensor<2x3x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x3x6xf32>) {
  %r:2 = block.sdpa_grad %dy of %q, %k, %k past_key %p past_value %p {wrt = ["key", "past_value"], heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x3x6xf32>, tensor<2x3x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x3x6xf32>)
  return %r#0, %r#1 : tensor<2x5x6xf32>, tensor<2x3x6xf32>
}
