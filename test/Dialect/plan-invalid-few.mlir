// Rules of launches with few rows.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [PLAN-17] a dimension that the input has
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects another kernel with pairs of an input's place and one of its dimensions, and a positive number}}
    plan.launch @kernels::@f(%x) -> (%y) few @kernels::@f of [0, 2] at most 8
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-17] sizes that say when
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects another kernel with pairs of an input's place and one of its dimensions, and a positive number}}
    plan.launch @kernels::@f(%x) -> (%y) few @kernels::@f
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-17] a kernel that there is
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a function to launch, got @kernels::@g}}
    plan.launch @kernels::@f(%x) -> (%y) few @kernels::@g of [0, 0] at most 8
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}
