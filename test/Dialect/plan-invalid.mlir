// One case per numbered constraint of docs/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [PLAN-1] tensors before what is done with them
// expected-error @+1 {{'plan.program' op expects sizes, shares and tensors, then at most one 'plan.prepack', then one 'plan.run'}}
plan.program @main {
  plan.run {
  }
  %x = plan.tensor "x" input 0 : f32 [4]
}

// -----

// [PLAN-1] something to run
// expected-error @+1 {{'plan.program' op expects sizes, shares and tensors, then at most one 'plan.prepack', then one 'plan.run'}}
plan.program @main {
  plan.prepack {
  }
}

// -----

// [PLAN-2] names of their own
plan.program @main {
  %a = plan.size "batch"
  // expected-error @+1 {{'plan.size' op expects a name of its own, got 'batch' again}}
  %b = plan.size "batch"
  %x = plan.tensor "x" input 0 : f32 [%a, %b]
  plan.run {
  }
}

// -----

// [PLAN-2] sizes that somebody chooses
plan.program @main {
  // expected-error @+1 {{'plan.size' op expects to be one of a parameter or an input}}
  %a = plan.size "batch"
  %x = plan.tensor "x" result 0 : f32 [%a]
  plan.run {
  }
}

// -----

// [PLAN-3] two parts
plan.program @main {
  %a = plan.size "batch"
  // expected-error @+1 {{'plan.share' op expects at least two parts of a 'plan.size'}}
  %b = plan.share %a of 1
  %x = plan.tensor "x" input 0 : f32 [%a, %b]
  plan.run {
  }
}

// -----

// [PLAN-3] of a size
plan.program @main {
  %a = plan.size "batch"
  %b = plan.share %a of 2
  // expected-error @+1 {{'plan.share' op expects at least two parts of a 'plan.size'}}
  %c = plan.share %b of 2
  %x = plan.tensor "x" input 0 : f32 [%a, %b, %c]
  plan.run {
  }
}

// -----

// [PLAN-4] a position
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects a position for parameters, inputs and results, and none for others}}
  %x = plan.tensor "x" input : f32 [4]
  plan.run {
  }
}

// -----

// [PLAN-4] no position
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects a position for parameters, inputs and results, and none for others}}
  %x = plan.tensor "x" temporary 0 : f32 [4]
  plan.run {
  }
}

// -----

// [PLAN-5] elements that memory holds
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects elements of f64, f32, bf16, f16, i64, i32, i16, i8, ui8 or i1, got 'i4'}}
  %x = plan.tensor "x" input 0 : i4 [4]
  plan.run {
  }
}

// -----

// [PLAN-6] no negative sizes
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects sizes that are not negative, got -4}}
  %x = plan.tensor "x" input 0 : f32 [-4]
  plan.run {
  }
}

// -----

// [PLAN-6] packed once for all sizes
plan.program @main {
  %a = plan.size "batch"
  %x = plan.tensor "x" input 0 : f32 [%a]
  // expected-error @+1 {{'plan.tensor' op expects numbers for the sizes of what is packed}}
  %p = plan.tensor "p" packed : f32 [%a]
  plan.run {
  }
}

// -----

// [PLAN-7] a kernel of that name
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a function to launch, got @kernels::@f}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [] x [] by 1
  }
}
module @kernels {
}

// -----

// [PLAN-8] some items
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a positive factor, block and grain, and scratch that is not negative, got 0, 1, 1 and 0}}
    plan.launch @kernels::@f() -> () dims [] items 0 x [] x [] by 1
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-8] blocks of some
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a positive factor, block and grain, and scratch that is not negative, got 1, 0, 1 and 0}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [] x [] by 0
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-8] parts of some
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a positive factor, block and grain, and scratch that is not negative, got 1, 1, 0 and 0}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [] x [] by 1 grain 0
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-8] scratch
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects a positive factor, block and grain, and scratch that is not negative, got 1, 1, 1 and -8}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [] x [] by 1 scratch -8
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-8] sizes of items
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects items that are not negative, got -1}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [-1] x [] by 1
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-9] nothing is packed from inputs
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %p = plan.tensor "p" packed : f32 [4]
  plan.prepack {
    // expected-error @+1 {{'plan.launch' op expects to read parameters and packed tensors, to write packed ones, and sizes that are numbers}}
    plan.launch @kernels::@f(%x) -> (%p) dims [] items 1 x [] x [] by 1
  }
  plan.run {
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-9] no sizes before they are chosen
plan.program @main {
  %a = plan.size "batch"
  %x = plan.tensor "x" input 0 : f32 [%a]
  %p = plan.tensor "p" packed : f32 [4]
  plan.prepack {
    // expected-error @+1 {{'plan.launch' op expects to read parameters and packed tensors, to write packed ones, and sizes that are numbers}}
    plan.launch @kernels::@f() -> (%p) dims [%a] items 1 x [] x [] by 1
  }
  plan.run {
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-9] a run writes no parameters
plan.program @main {
  %w = plan.tensor "w" parameter 0 : f32 [4]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write temporaries and results}}
    plan.launch @kernels::@f() -> (%w) dims [] items 1 x [] x [] by 1
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
