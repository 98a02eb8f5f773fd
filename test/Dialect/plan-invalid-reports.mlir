// Launches that report faults of data.
// RUN: block-opt %s --split-input-file --verify-diagnostics

// [PLAN-18] five numbers
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : i64 [4]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to report, as its last output, 5 elements of i64, in a run}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 reports
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-18] integers
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : i32 [5]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to report, as its last output, 5 elements of i64, in a run}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 reports
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-18] in a run
plan.program @main {
  %w = plan.tensor "w" parameter 0 : f32 [2, 3]
  %p = plan.tensor "p" packed : i64 [5]
  plan.prepack {
    // expected-error @+1 {{'plan.launch' op expects to report, as its last output, 5 elements of i64, in a run}}
    plan.launch @kernels::@f(%w) -> (%p) dims [] items 1 x [] x [] by 1 reports
  }
  plan.run {
    plan.return
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
