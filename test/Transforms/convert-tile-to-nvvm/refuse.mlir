// A kernel that a step has not been at is refused by the name of that step.
// RUN: block-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-check-tiles before}}
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-allocate-shared before}}
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}

// -----

// One that has been, but for a buffer that came later.
gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-allocate-shared before}}
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 0 : i64} {
    %c1 = arith.constant 1 : index
    tile.rows %row below %c1 grid {
      %scratch = tile.scratch : !tile.buffer<1x4xf32>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-specialize-warps before}}
  tile.kernel @f() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 1>, shared_bytes = 0 : i64} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 at 0 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index):
      tile.yield
    } consume {
    ^bb0(%step: index, %before: !tile.accumulator<16x16>):
      tile.yield %before : !tile.accumulator<16x16>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-share-copies before}}
  tile.kernel @f() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 2, cluster = 2>, shared_bytes = 0 : i64} {
    %c1 = arith.constant 1 : index
    tile.tiles (%i, %j) below (%c1, %c1) band 8 {
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-mark-accesses before}}
  tile.kernel @f(%y: memref<4xf32>) attributes {chip = "sm_80", outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 0 : i64} {
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    tile.rows %row below %c4 grid {
      tile.store %one, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-declare-globals before}}
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 0 : i64} {
    %table = tile.table dense<1.0> : tensor<2xf32> : memref<2xf32>
    tile.return
  }
}

// -----

// What is said to be for a chip is looked at again.
gpu.module @kernels {
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 3, grid = 1>, shared_bytes = 0 : i64} {
    // expected-error @+1 {{expected an accumulator that 3 warps can share with mma, got '!tile.accumulator<16x32>'}}
    %zero = tile.zero : !tile.accumulator<16x32>
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-declare-globals before}}
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, shared_bytes = 16 : i64} {
    tile.return
  }
}
