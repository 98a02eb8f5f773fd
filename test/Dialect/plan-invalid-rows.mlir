// Exchanges of rows in plans. Cases of docs/design/Spec.md.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [PLAN-11] exchanges of rows read choices
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects one tensor that is read, or two by put and by exchanges of rows, and one that is written, or two by all_gather, reduce_scatter and rows_from_experts, got 1 and 1}}
    plan.exchange rows_to_experts(%x) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] choices are integers
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i32 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects choices of i64 with 3 dimensions}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-13] an exchange of rows has experts
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects a positive number of experts, for exchanges of rows alone}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1
  }
}

// -----

// [PLAN-13] a sum has none
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects a positive number of experts, for exchanges of rows alone}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 of 4
  }
}
