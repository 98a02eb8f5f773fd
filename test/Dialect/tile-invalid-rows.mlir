// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [ROWS-1] a grid or an extent
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected either a grid or an extent}}
    "tile.rows"(%c8) ({
    ^bb0(%r: index):
      tile.yield
    }) : (index) -> ()
    tile.return
  }
}

// -----

// [ROWS-1] not both
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected either a grid or an extent}}
    "tile.rows"(%c8) <{grid, extent = 8 : i64}> ({
    ^bb0(%r: index):
      tile.yield
    }) : (index) -> ()
    tile.return
  }
}

// -----

// [ROWS-3] rows of a tile
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2, cluster = 2, joins = true>} {
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected rows of a cluster to be all of a tile}}
    tile.rows %r below %c8 grid {
    } {cluster}
    tile.return
  }
}

// -----

// [ROWS-2] none of several
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a part of several that divide 8 rows, or none of 1, got none of 4}}
    "tile.rows"(%c8) <{extent = 8 : i64, parts = 4 : i64}> ({
    ^bb0(%r: index):
      tile.yield
    }) : (index) -> ()
    tile.return
  }
}

// -----

// [ROWS-1] a row
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a body with 1 arguments of type index, got 0 arguments}}
    "tile.rows"(%c8) <{grid}> ({
      tile.yield
    }) : (index) -> ()
    tile.return
  }
}

// -----

// [COLUMNS-1] a column
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a body with 1 arguments of type index, got 2 arguments}}
    "tile.columns"(%c0, %c8) ({
    ^bb0(%c: index, %d: index):
      tile.yield
    }) : (index, index) -> ()
    tile.return
  }
}

// -----

// [REDUCE-1] a column
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a body with 1 arguments of type index, got 0 arguments}}
    %x = "tile.reduce"(%c0, %c8) <{kind = #tile.reduction<add>}> ({
      %v = arith.constant 1.0 : f32
      tile.yield %v : f32
    }) : (index, index) -> f32
    tile.return
  }
}

// -----

// [REDUCE-1] one f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected the body to yield one f32, got 'tile.yield' of ()}}
    %x = tile.reduce add %c = %c0 to %c8 {
      tile.yield
    }
    tile.return
  }
}

// -----

// [LOAD-1] two indices
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected 2 indices into 'memref<8x64xf32>', got 3}}
    %x = tile.load %a[%c0, %c0, %c0] : memref<8x64xf32> to f32
    tile.return
  }
}

// -----

// [LOAD-1] one index
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected 1 indices into 'memref<8xf32>', got 2}}
    %x = tile.load %a[%c0, %c0] : memref<8xf32> to f32
    tile.return
  }
}

// -----

// [LOAD-1] f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a scalar of type 'f32' for 'memref<8xbf16>', got 'i32'}}
    %x = tile.load %a[%c0] : memref<8xbf16> to i32
    tile.return
  }
}

// -----

// [LOAD-1] the integer type
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a scalar of type 'i64' for 'memref<8xi64>', got 'i32'}}
    %x = tile.load %a[%c0] : memref<8xi64> to i32
    tile.return
  }
}

// -----

// [STORE-1] two indices
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %b = tile.scratch : !tile.buffer<1x8xf32>
    %v = arith.constant 1.0 : f32
    // expected-error @+1 {{expected 2 indices into '!tile.buffer<1x8xf32>', got 1}}
    tile.store %v, %b[%c0] : f32 to !tile.buffer<1x8xf32>
    tile.return
  }
}

// -----

// [STORE-1] f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %v = arith.constant 1 : i32
    // expected-error @+1 {{expected a scalar of type 'f32' for 'memref<8xbf16>', got 'i32'}}
    tile.store %v, %a[%c0] : i32 to memref<8xbf16>
    tile.return
  }
}

// -----

// [REPORT-1] a lane of its own
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>, %w: memref<1xi64>) attributes {outputs = 1 : i64, workspaces = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %d = arith.constant 3 : i64
    tile.rows %r below %c8 grid {
      tile.columns %x = %c0 to %c8 {
        // expected-error @+1 {{expected tile.rows around it, got tile.columns}}
        tile.report %d at %r to %w : memref<1xi64>
      }
    }
    tile.return
  }
}

// -----

// [ROUND-1] a type of tensors
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %v = arith.constant 1.0 : f32
    // expected-error @+1 {{expected f32, bf16 or f16, got 'f64'}}
    %r = tile.round %v to f64
    tile.return
  }
}

// -----

// [SCRATCH-1] f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected one row of f32, got '!tile.buffer<1x8xbf16>'}}
    %b = tile.scratch : !tile.buffer<1x8xbf16>
    tile.return
  }
}

// -----

// [SCRATCH-1] one row
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected one row of f32, got '!tile.buffer<2x8xf32>'}}
    %b = tile.scratch : !tile.buffer<2x8xf32>
    tile.return
  }
}

// -----

// [SCRATCH-1] without padding
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected one row of f32, got '!tile.buffer<1x8xf32, padded>'}}
    %b = tile.scratch : !tile.buffer<1x8xf32, padded>
    tile.return
  }
}

// -----

// [MMA-6] values of rows for the width of the accumulator
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %b = "test.buffer"() : () -> !tile.buffer<8x32xf32>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected '!tile.row_values<8 of 8>' less than a buffer of f32, got '!tile.row_values<8>' less than '!tile.buffer<8x32xf32>'}}
    %x = tile.mma %b less %v : !tile.row_values<8>, %b, %z : !tile.buffer<8x32xf32>, !tile.buffer<8x32xf32>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-6] values of rows taken from f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8 of 8>
    // expected-error @+1 {{got '!tile.row_values<8 of 8>' less than '!tile.buffer<8x64xbf16>'}}
    %x = tile.mma %b less %v : !tile.row_values<8 of 8>, %b, %z : !tile.buffer<8x64xbf16>, !tile.buffer<8x64xbf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [ROWVALUES-1]
// expected-error @+1 {{expected rows of a positive width, got 0}}
func.func private @f() -> !tile.row_values<8 of 0>
