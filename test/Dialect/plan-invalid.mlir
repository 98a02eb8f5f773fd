// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [PLAN-1] tensors before what is done with them
// expected-error @+1 {{'plan.program' op expects sizes, shares, 'affine.apply', tensors and views, then at most one 'plan.prepack', then one 'plan.run'}}
plan.program @main {
  plan.run {
  }
  %x = plan.tensor "x" input 0 : f32 [4]
}

// -----

// [PLAN-1] something to run
// expected-error @+1 {{'plan.program' op expects sizes, shares, 'affine.apply', tensors and views, then at most one 'plan.prepack', then one 'plan.run'}}
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
  %x = plan.tensor "x" temporary : f32 [%a]
  plan.run {
  }
}

// -----

// [PLAN-3] two parts
plan.program @main {
  %a = plan.size "batch"
  // expected-error @+1 {{'plan.share' op expects at least two parts of what is no share itself}}
  %b = plan.share %a of 1
  %x = plan.tensor "x" input 0 : f32 [%a, %b]
  plan.run {
  }
}

// -----

// [PLAN-3] of what is no share
plan.program @main {
  %a = plan.size "batch"
  %b = plan.share %a of 2
  // expected-error @+1 {{'plan.share' op expects at least two parts of what is no share itself}}
  %c = plan.share %b of 2
  %x = plan.tensor "x" input 0 : f32 [%a, %b, %c]
  plan.run {
  }
}

// -----

// [PLAN-4] a position
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects a position for parameters and inputs, and none for others}}
  %x = plan.tensor "x" input : f32 [4]
  plan.run {
  }
}

// -----

// [PLAN-4] no position
plan.program @main {
  // expected-error @+1 {{'plan.tensor' op expects a position for parameters and inputs, and none for others}}
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
    // expected-error @+1 {{'plan.launch' op expects to write temporaries, then workspaces}}
    plan.launch @kernels::@f() -> (%w) dims [] items 1 x [] x [] by 1
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-8] no sizes without items
plan.program @main {
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects no sizes without items}}
    "plan.launch"() <{kernel = @kernels::@f, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>, static_dims = array<i64: 4>}> : () -> ()
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-9] workspaces last
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write temporaries, then workspaces}}
    plan.launch @kernels::@f(%x) -> (%w, %y)
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-9] a view is read alone
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write temporaries, then workspaces}}
    plan.launch @kernels::@f(%x) -> (%v)
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-10] no view of a view
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %v = plan.view "v" of %x : [2, 2]
  // expected-error @+1 {{'plan.view' op expects a 'plan.tensor' to view}}
  %u = plan.view "u" of %v : [4]
  plan.run {
  }
}

// -----

// [PLAN-10] no negative sizes
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  // expected-error @+1 {{'plan.view' op expects sizes that are not negative, got -2}}
  %v = plan.view "v" of %x : [-2, -2]
  plan.run {
  }
}

// -----

// [PLAN-11] what ranks sum is one tensor
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects one tensor that is read, or two by put and by exchanges of rows, and one that is written, or two by all_gather, reduce_scatter and rows_from_experts, got 2 and 1}}
    plan.exchange all_reduce(%x, %x) -> (%y) dim 0
  }
}

// -----

// [PLAN-11] nothing is moved in a sum
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects one tensor that is read, or two by put and by exchanges of rows, and one that is written, or two by all_gather, reduce_scatter and rows_from_experts, got 1 and 2}}
    plan.exchange all_reduce(%x) -> (%y, %y) dim 0
  }
}

// -----

// [PLAN-12] one type of element
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f16 [4]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects tensors of one type of element with dimension 0, and to write temporaries}}
    plan.exchange all_reduce(%x) -> (%y) dim 0
  }
}

// -----

// [PLAN-12] a dimension that they have
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects tensors of one type of element with dimension 1, and to write temporaries}}
    plan.exchange take(%x) -> (%y) dim 1
  }
}

// -----

// [PLAN-12] inputs are read
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects tensors of one type of element with dimension 0, and to write temporaries}}
    plan.exchange take(%y) -> (%x) dim 0
  }
}

// -----

// [PLAN-13] a sum has no place
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects a place that is not negative, for take and put alone}}
    plan.exchange all_reduce(%x) -> (%y) dim 0 at 0
  }
}

// -----

// [PLAN-13] no negative place
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.exchange' op expects a place that is not negative, for take and put alone}}
    plan.exchange take(%x) -> (%y) dim 0 at -1
  }
}

// -----

// [PLAN-14] results are no workspaces
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  %w = plan.tensor "w" workspace : f32 [4]
  %v = plan.view "v" of %y : [2, 2]
  plan.run {
    // expected-error @+1 {{'plan.return' op expects tensors that are no workspaces}}
    plan.return %w
  }
}

// -----

// [PLAN-15] places of its tensors
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [0, 2]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-15] no negative places
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [-1, 0]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-15] in order
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [1, 1]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-15] sizes that rows are of
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2] items 1 x [] x [] by 1 rows [0, 1]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-15] sequences of rows
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 sequences
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-15] places of rows
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects rows to be places of tensors, in order, of a launch with two sizes, and to be there for sequences and what is in place}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 in_place [1, 0]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-16] pairs
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write outputs in place of inputs, in pairs, both with rows}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [0, 1] in_place [1]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-16] an output first
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write outputs in place of inputs, in pairs, both with rows}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [0, 1] in_place [0, 1]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}

// -----

// [PLAN-16] rows of both
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2, 3]
  %y = plan.tensor "y" temporary : f32 [2, 3]
  plan.run {
    // expected-error @+1 {{'plan.launch' op expects to write outputs in place of inputs, in pairs, both with rows}}
    plan.launch @kernels::@f(%x) -> (%y) dims [2, 3] items 1 x [] x [] by 1 rows [1] in_place [1, 0]
  }
}
module @kernels {
  func.func private @f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
