// Programs that are there already are refused where launchers cannot follow them.
// RUN: block-opt %s --convert-launches-to-plan --split-input-file --verify-diagnostics

// One that they can.
plan.program @main {
  %n = plan.size "n"
  %x = plan.tensor "x" input 0 : f32 [%n, 8]
  %w = plan.tensor "w" workspace : i32 [2]
  %v = plan.view "v" of %x : [%n, 2, 4]
  plan.run {
    plan.launch @kernels::@f(%v) -> (%w) layer 7
    plan.return %v
  }
}
gpu.module @kernels {
  llvm.func @f(!llvm.ptr<1>, i32) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 1>, <kind = dim, operand = 0, dim = 2>], schedule = <warps = 1, grid = 1>>}
}

// -----

plan.program @main {
  // expected-error @below {{no launch plan for what packs 'p': launchers are given packed tensors}}
  %p = plan.tensor "p" packed : f32 [4]
  plan.run {
  }
}

// -----

plan.program @main {
  // expected-error @below {{no launch plan for arguments that do not come first, in order}}
  %x = plan.tensor "x" input 1 : f32 [4]
  plan.run {
  }
}

// -----

plan.program @main {
  %x = plan.tensor "x" temporary : f32 [4]
  // expected-error @below {{no launch plan for arguments that do not come first, in order}}
  %w = plan.tensor "w" parameter 0 : f32 [4]
  plan.run {
  }
}

// -----

plan.program @main {
  plan.run {
    // expected-error @below {{no launch plan for @kernels::@f: expected a device function with 'tile.launch', launched without items}}
    plan.launch @kernels::@f() -> () dims [] items 1 x [] x [] by 1
  }
}
gpu.module @kernels {
  llvm.func @f() attributes {tile.launch = #tile.launch<arguments = [], schedule = <warps = 1, grid = 1>>}
}

// -----

plan.program @main {
  // expected-error @below {{dimension 0 of 'x': expected a size of at most 256 steps, 24 of them in each other, with numbers from 0 to 2147483647}}
  %x = plan.tensor "x" temporary : f32 [2147483648]
  plan.run {
  }
}

// -----

plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [2]
  %w = plan.tensor "w" workspace : f32 [2]
  plan.run {
    // expected-error @below {{no launch plan for 'plan.launch' that 'starts': expected one step in place of the two}}
    plan.launch @kernels::@f(%x) -> (%w) starts
    plan.launch @kernels::@f(%x) -> (%w) awaits
  }
}
gpu.module @kernels {
  llvm.func @f(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 1>], schedule = <warps = 1, grid = 1>>}
}
