// One case per numbered constraint of docs/design/Spec.md.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [FOLD-1] one column at a time
gpu.module @kernels {
  tile.kernel @f(%n: memref<4xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c8 = arith.constant 8 : index
    tile.tiles (%i, %j) below (%c8, %c8) band 8 {
      // expected-error @+1 {{expected a body with 1 arguments of type index, got 2 arguments}}
      %y = tile.fold <add> %i to %c8 : (i64) {
      ^bb0(%column: index, %other: index):
        %one = arith.constant 1 : i64
        tile.yield %one : i64
      }
    }
    tile.return
  }
}

// -----

// [FOLD-1] a number for each result
gpu.module @kernels {
  tile.kernel @f(%n: memref<4xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c8 = arith.constant 8 : index
    tile.tiles (%i, %j) below (%c8, %c8) band 8 {
      // expected-error @+1 {{expected the body to yield an i64 for each of at least one result}}
      %y:2 = tile.fold <add> %i to %c8 : (i64, i64) {
      ^bb0(%column: index):
        %one = arith.constant 1 : i64
        tile.yield %one : i64
      }
    }
    tile.return
  }
}

// -----

// [FOLD-2] all warps
gpu.module @kernels {
  tile.kernel @f(%n: memref<4xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c8 = arith.constant 8 : index
    tile.rows %i below %c8 grid {
      // expected-error @+1 {{expected tile.tiles around it, and no tile.rows}}
      %y = tile.fold <add> %i to %c8 : (i64) {
      ^bb0(%column: index):
        %one = arith.constant 1 : i64
        tile.yield %one : i64
      }
    }
    tile.return
  }
}
