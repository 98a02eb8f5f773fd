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

// -----

// [PLAN-11] what returns has room
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 4, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 2, 16]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects one tensor that is read, or two by put and by exchanges of rows, and one that is written, or two by all_gather, reduce_scatter and rows_from_experts, got 2 and 1}}
    plan.exchange rows_from_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] rows are of dimension 1
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 0 of 4
  }
}

// -----

// [PLAN-12] choices of each sequence
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [3, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] of each row
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 6, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] of which ranks have shares
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 3, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] rows go as wide as they are
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 9]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4
  }
}

// -----

// [PLAN-12] and return once for each rank
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 4, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 2, 8]
  %r = plan.tensor "r" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_from_experts(%x, %c) -> (%y, %r) dim 1 of 4
  }
}

// -----

// [PLAN-12] with as much room
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 4, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 2, 16]
  %r = plan.tensor "r" temporary : f32 [1, 4, 7]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects dimension 1, and tensors of 3 dimensions that fit an exchange of rows}}
    plan.exchange rows_from_experts(%x, %c) -> (%y, %r) dim 1 of 4
  }
}
