// Steps that are started and awaited.
// RUN: block-opt %s --split-input-file --verify-diagnostics

// [PLAN-20] an await that was left out
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects a step that awaits it}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
  }
}

// -----

// [PLAN-20] read too early
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  %z = plan.tensor "z" temporary : f32 [2]
  plan.run {
    // expected-note @+1 {{started here}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.exchange' op expects tensors of a step that was started to stay as they are until it is awaited}}
    plan.exchange all_reduce(%y) -> (%z) dim 0
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
  }
}

// -----

// [PLAN-20] returned too early, through a view
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  %z = plan.view "z" of %y : [1, 2]
  plan.run {
    // expected-note @+1 {{started here}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.return' op expects tensors of a step that was started to stay as they are until it is awaited}}
    plan.return %z
  }
}

// -----

// [PLAN-20] a summand that is overwritten
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %a = plan.tensor "a" temporary : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  %r = plan.tensor "r" temporary : i64 [1]
  plan.run {
    // expected-note @+1 {{started here}}
    plan.launch @kernels::@f(%a) -> (%y, %r) dims [] items 1 x [] x [] by 1 starts
    // expected-error @+1 {{'plan.launch' op expects tensors of a step that was started to stay as they are until it is awaited}}
    plan.launch @kernels::@f(%x) -> (%a) dims [] items 1 x [] x [] by 1
    plan.launch @kernels::@f(%a, %r) -> (%y) dims [] items 1 x [] x [] by 1 awaits
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] awaited twice
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  plan.run {
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
    // expected-error @+1 {{'plan.exchange' op expects to await an earlier step of the same kind, with the same tensors, that is not awaited yet}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
  }
}

// -----

// [PLAN-20] without the summand, whose memory may be another's by then
plan.program @main {
  %a = plan.tensor "a" temporary : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  %r = plan.tensor "r" temporary : i64 [1]
  plan.run {
    plan.launch @kernels::@f(%a) -> (%y, %r) dims [] items 1 x [] x [] by 1 starts
    // expected-error @+1 {{'plan.launch' op expects to await an earlier step of the same kind, with the same tensors, that is not awaited yet}}
    plan.launch @kernels::@f(%r) -> (%y) dims [] items 1 x [] x [] by 1 awaits
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] by another kind of step
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  plan.run {
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.launch' op expects to await an earlier step of the same kind, with the same tensors, that is not awaited yet}}
    plan.launch @kernels::@f(%x) -> (%y) dims [] items 1 x [] x [] by 1 awaits
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] by another exchange
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [4]
  plan.run {
    plan.exchange all_gather(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.exchange' op expects to await an earlier step of the same kind, with the same tensors, that is not awaited yet}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
  }
}

// -----

// [PLAN-20] in another dimension
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 2]
  %y = plan.tensor "y" temporary : f32 [4, 2]
  plan.run {
    plan.exchange all_gather(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.exchange' op expects to await an earlier step of the same kind, with the same tensors, that is not awaited yet}}
    plan.exchange all_gather(%x) -> (%y) dim 1 awaits
  }
}

// -----

// [PLAN-20] a run that may end before the await
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %y = plan.tensor "y" temporary : f32 [2]
  %z = plan.tensor "z" temporary : f32 [2]
  %r = plan.tensor "r" temporary : i64 [5]
  plan.run {
    // expected-note @+1 {{started here}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts
    // expected-error @+1 {{'plan.launch' op expects to report when no step is started that is not awaited: a run may end here}}
    plan.launch @kernels::@f(%x) -> (%z, %r) dims [] items 1 x [] x [] by 1 reports
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] once per set of parameters
plan.program @main {
  %w = plan.tensor "w" parameter 0 : f32 [2]
  %p = plan.tensor "p" packed : f32 [2]
  plan.prepack {
    // expected-error @+1 {{'plan.launch' op expects to start and to await one kernel, in a run}}
    plan.launch @kernels::@f(%w) -> (%p) dims [] items 1 x [] x [] by 1 starts
    plan.launch @kernels::@f(%w) -> (%p) dims [] items 1 x [] x [] by 1 awaits
  }
  plan.run {
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] one kernel or another
plan.program @main {
  %n = plan.size "n"
  %x = plan.tensor "x" input 0 : f32 [%n]
  %y = plan.tensor "y" temporary : f32 [%n]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to start and to await one kernel, in a run}}
    plan.launch @kernels::@f(%x) -> (%y) few @kernels::@f of [0, 0] at most 4 starts
    plan.launch @kernels::@f(%x) -> (%y) awaits
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-20] rows are exchanged by one step
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [1, 2, 8]
  %c = plan.tensor "c" input 1 : i64 [1, 4, 2]
  %y = plan.tensor "y" temporary : f32 [1, 4, 8]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects to start or to await a sum or all_gather}}
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4 starts
    plan.exchange rows_to_experts(%x, %c) -> (%y) dim 1 of 4 awaits
  }
}

// -----

// [PLAN-20] a part is taken by one step
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects to start or to await a sum or all_gather}}
    plan.exchange take(%x) -> (%y) dim 0 starts
    plan.exchange take(%x) -> (%y) dim 0 awaits
  }
}

// -----

// [PLAN-20] a step starts or awaits
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects to start or to await a sum or all_gather}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 starts awaits
    plan.exchange all_reduce(%x) -> (%y) dim 0 awaits
  }
}
