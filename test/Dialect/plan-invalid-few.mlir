// Rules of launches with few rows.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [PLAN-17] a dimension that the input has
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects pairs of an input's place and one of its dimensions together with a positive number, and both with another kernel, got [0, 2] and 8}}
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
    // expected-error @+1 {{'plan.launch' op expects pairs of an input's place and one of its dimensions together with a positive number, and both with another kernel, got [] and no number}}
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

// -----

// [PLAN-19] memory that nothing wrote
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  %z = plan.tensor "z" temporary : f32 [%n, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects only launches that are replaced or left out whenever it is left out to read what it writes, got plan.launch}}
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0] at most 8
    plan.launch @kernels::@f(%y) -> (%z)
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-19] a result
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects only launches that are replaced or left out whenever it is left out to read what it writes, got plan.return}}
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0] at most 8
    plan.return %y
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-19] a view
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  %v = plan.view "v" of %y : [3, %n]
  %z = plan.tensor "z" temporary : f32 [%n, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects only launches that are replaced or left out whenever it is left out to read what it writes, got plan.launch}}
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0] at most 8
    plan.launch @kernels::@f(%v) -> (%z)
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-19] fewer rows
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  %z = plan.tensor "z" temporary : f32 [%n, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects only launches that are replaced or left out whenever it is left out to read what it writes, got plan.launch}}
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0] at most 8
    plan.launch @kernels::@f(%y) -> (%z) few @kernels::@f of [0, 0] at most 7
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-19] other sizes
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  %z = plan.tensor "z" temporary : f32 [%n, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects only launches that are replaced or left out whenever it is left out to read what it writes, got plan.launch}}
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0] at most 8
    plan.launch @kernels::@f(%y, %u) -> (%z) few @kernels::@f of [1, 0] at most 8
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// [PLAN-19] reports
plan.program @main {
  %n = plan.size "n"
  %m = plan.size "m"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %u = plan.tensor "u" input 1 : f32 [%m, 3]
  %r = plan.tensor "r" temporary : i64 [5]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects another kernel for few rows where it reports, got none}}
    plan.launch @kernels::@f(%x) -> (%r) of [0, 0] at most 8 reports
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}

// -----

// Launches that few rows change as well, in any order of their sizes.
plan.program @main {
  %n = plan.size "n"
  %x = plan.tensor "x" input 0 : f32 [%n, 3]
  %y = plan.tensor "y" temporary : f32 [%n, 3]
  %z = plan.tensor "z" temporary : f32 [%n, 3]
  %w = plan.tensor "w" temporary : f32 [%n, 3]
  plan.run {
    plan.launch @kernels::@f(%x) -> (%y) of [0, 0, 0, 1] at most 8
    plan.launch @kernels::@f(%y) -> (%z) of [0, 1, 0, 0] at most 8
    plan.launch @kernels::@f(%z) -> (%w) few @kernels::@f of [0, 0, 0, 1] at most 9
    plan.return %w
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr)
}
