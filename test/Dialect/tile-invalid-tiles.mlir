// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [TILES-1] a band
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a band of at least 1, got 0}}
    tile.tiles (%r, %c) below (%c8, %c8) band 0 {
    }
    tile.return
  }
}

// -----

// [TILES-1] two indices
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a body with 2 arguments of type index, got 1 arguments}}
    "tile.tiles"(%c8, %c8) <{band = 1 : i64}> ({
    ^bb0(%r: index):
      tile.yield
    }) : (index, index) -> ()
    tile.return
  }
}

// -----

// [PIPELINE-1] a step
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected produce to have an index and buffers as arguments}}
    %x = tile.pipeline %c8 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%b: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [PIPELINE-1] the same buffers
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected consume to have the arguments of produce, then '!tile.accumulator<8x8>'}}
    %x = tile.pipeline %c8 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [PIPELINE-1] the accumulator
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected consume to have the arguments of produce, then '!tile.accumulator<8x8>'}}
    %x = tile.pipeline %c8 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x16>):
      tile.yield %z : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [PIPELINE-2] the next accumulator
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected consume to yield '!tile.accumulator<8x8>'}}
    %x = tile.pipeline %c8 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield
    }
    tile.return
  }
}

// -----

// [PIPELINE-2] nothing from produce
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected produce to yield nothing}}
    %x = tile.pipeline %c8 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>):
      tile.yield %k : index
    } consume {
    ^bb0(%k: index, %b: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [COPY-1] one element type
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    // expected-error @+1 {{expected a tensor of 'bf16', got 'memref<8x64xf32>'}}
    tile.copy %a[%c0, %c0] to %b[0, 8] : memref<8x64xf32> to !tile.buffer<8x64xbf16>
    tile.return
  }
}

// -----

// [COPY-2] rows of the buffer
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x32xf32>
    // expected-error @+1 {{expected groups of 8 rows within '!tile.buffer<8x32xf32>', got 16 rows from 0}}
    tile.copy %a[%c0, %c0] to %b[0, 16] : memref<8x64xf32> to !tile.buffer<8x32xf32>
    tile.return
  }
}

// -----

// [COPY-2] groups
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %b = "test.buffer"() : () -> !tile.buffer<16x32xf32>
    // expected-error @+1 {{expected groups of 8 rows within '!tile.buffer<16x32xf32>', got 8 rows from 4}}
    tile.copy %a[%c0, %c0] to %b[4, 8] : memref<8x64xf32> to !tile.buffer<16x32xf32>
    tile.return
  }
}

// -----

// [MMA-1] one element type
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %l = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected operands of one element type and depth, got '!tile.buffer<8x64xbf16>' of depth 64 and '!tile.buffer<8x64xf16>' of depth 64}}
    %x = tile.mma %l, %r, %z : !tile.buffer<8x64xbf16>, !tile.buffer<8x64xf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-1] one depth
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %l = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %r = "test.buffer"() : () -> !tile.buffer<8x32xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected operands of one element type and depth, got '!tile.buffer<8x64xbf16>' of depth 64 and '!tile.buffer<8x32xbf16>' of depth 32}}
    %x = tile.mma %l, %r, %z : !tile.buffer<8x64xbf16>, !tile.buffer<8x32xbf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-2] rows of the left operand
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %r = "test.buffer"() : () -> !tile.buffer<16x64xbf16>
    %z = tile.zero : !tile.accumulator<16x16>
    // expected-error @+1 {{expected an accumulator of 8 rows and at most 16 columns, got '!tile.accumulator<16x16>'}}
    %x = tile.mma %l, %r, %z : !tile.buffer<8x64xbf16>, !tile.buffer<16x64xbf16>, !tile.accumulator<16x16>
    tile.return
  }
}

// -----

// [MMA-1] depth of an operand with the depth first
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x8xbf16>
    %r = "test.buffer"() : () -> !tile.buffer<8x8xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected operands of one element type and depth, got '!tile.buffer<64x8xbf16>' of depth 64 and '!tile.buffer<8x8xbf16>' of depth 8}}
    %x = tile.mma %l depth_first, %r, %z : !tile.buffer<64x8xbf16>, !tile.buffer<8x8xbf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-2] rows of operands with the depth first
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x8xbf16>
    %r = "test.buffer"() : () -> !tile.buffer<64x16xbf16>
    %z = tile.zero : !tile.accumulator<64x64>
    // expected-error @+1 {{expected an accumulator of 8 rows and at most 16 columns, got '!tile.accumulator<64x64>'}}
    %x = tile.mma %l depth_first, %r depth_first, %z : !tile.buffer<64x8xbf16>, !tile.buffer<64x16xbf16>, !tile.accumulator<64x64>
    tile.return
  }
}

// -----

// [JOIN-1] somebody comes
gpu.module @kernels {
  tile.kernel @f(%n: memref<4xi32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a count of at least 1, got 0}}
    tile.join %n[%c0] of %c0 : memref<4xi32> {
    }
    tile.return
  }
}

// -----

// [JOIN-1] a vector
gpu.module @kernels {
  tile.kernel @f(%n: memref<4x4xi32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{must be 1D memref of 32-bit signless integer values}}
    tile.join %n[%c0] of %c8 : memref<4x4xi32> {
    }
    tile.return
  }
}

// -----

// [PIPELINE-3] a carried value and a stage
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected at least one carried value and one stage}}
    %x = tile.pipeline %c0 stages 0 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index):
      tile.yield
    } consume {
    ^bb0(%k: index, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [PIPELINE-4] deferred buffers in ascending order
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected deferred buffers to be numbers below 2 in ascending order, got 1, 0}}
    %x = tile.pipeline %c0 deferred [1, 0] init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>, %right: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>, %right: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [PIPELINE-4] and of buffers that there are
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected deferred buffers to be numbers below 1 in ascending order, got 1}}
    %x = tile.pipeline %c0 deferred [1] init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [COPY-3] a width within the buffer
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a width from 1 to 64, got 65}}
    tile.copy %a[%c0, %c0] width 65 to %b[0, 8] : memref<8x64xbf16> to !tile.buffer<8x64xbf16>
    tile.return
  }
}

// -----

// [COPY-5] pages of known rows
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>, %p: memref<2x?xi64>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected lines of i64 for pages of known rows, got 'memref<2x?xi64>' for 'memref<8x64xbf16>'}}
    tile.copy %a[%c0, %c0] pages %p[%c0] : memref<2x?xi64> to %b[0, 8] : memref<8x64xbf16> to !tile.buffer<8x64xbf16>
    tile.return
  }
}

// -----

// [COPY-4] parts of a width
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected one part, or several of a width, got 2}}
    tile.copy %a[%c0, %c0] parts 2 to %b[0, 8] : memref<8x64xbf16> to !tile.buffer<8x64xbf16>
    tile.return
  }
}

// -----

// [MMA-3] a depth within the operands
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a depth from 1 to 64, got 80}}
    %x = tile.mma %b, %b, %z depth 80 : !tile.buffer<8x64xbf16>, !tile.buffer<8x64xbf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-4] the depth of an accumulator comes last
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a buffer where the depth comes first, got '!tile.accumulator<8x8>'}}
    %x = tile.mma %z depth_first, %b depth_first, %z : !tile.accumulator<8x8>, !tile.buffer<8x64xbf16>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMA-5] the result of a deferred product
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected a deferred product to be yielded only}}
    %x = tile.mma %b, %b, %z deferred : !tile.buffer<8x64xbf16>, !tile.buffer<8x64xbf16>, !tile.accumulator<8x8>
    %y = tile.settle %x : !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [SETTLE-1] a number of products
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a number of products that may still run, got -1}}
    %x = tile.settle %z pending -1 : !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MAP-1] the same rows
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    %w = "test.values"() : () -> !tile.row_values<16>
    // expected-error @+1 {{expected operands and results of 8 rows and one width, got '!tile.row_values<16>'}}
    %x = tile.map %z, %w : (!tile.accumulator<8x8>, !tile.row_values<16>) -> !tile.accumulator<8x8> {
    ^bb0(%row: index, %column: index, %e: f32, %f: f32):
      tile.yield %e : f32
    }
    tile.return
  }
}

// -----

// [MAP-2] no accumulators for row values
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected results that are accumulators, or row values and no accumulators at all}}
    %x = tile.map %z : (!tile.accumulator<8x8>) -> !tile.row_values<8> {
    ^bb0(%row: index, %e: f32):
      tile.yield %e : f32
    }
    tile.return
  }
}

// -----

// [MAP-3] no column of row values
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a body with 1 arguments of type index and 1 of f32}}
    %x = tile.map %v : (!tile.row_values<8>) -> !tile.row_values<8> {
    ^bb0(%row: index, %column: index, %e: f32):
      tile.yield %e : f32
    }
    tile.return
  }
}

// -----

// [COMBINE-1] a value for every row
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    %z = tile.zero : !tile.accumulator<8x8>
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected a result of 8 rows, got '!tile.row_values<4>'}}
    %x = tile.combine <max> %z : !tile.accumulator<8x8> to !tile.row_values<4>
    tile.return
  }
}

// -----

// [COMBINE-2] shares of an accumulator
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %v = "test.values"() : () -> !tile.row_values<8>
    // expected-error @+1 {{expected shares of an accumulator, got '!tile.row_values<8>'}}
    %x = tile.combine <add> shares %v : !tile.row_values<8> to !tile.row_values<8>
    tile.return
  }
}

// -----

// [BETWEEN-1] the step of the pipeline around
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected the step of the pipeline around, in consume}}
    %x = tile.between %c0 from %c0 to %c0
    tile.return
  }
}

// -----

// [BETWEEN-1] bounds from outside
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c1 = arith.constant 1 : index
    %z = tile.zero : !tile.accumulator<8x8>
    %all = tile.pipeline %c1 init %z : !tile.accumulator<8x8> produce {
    ^bb0(%step: index):
      tile.yield
    } consume {
    ^bb0(%step: index, %old: !tile.accumulator<8x8>):
      %next = arith.addi %step, %c1 : index
      // expected-error @+1 {{expected bounds from outside of the pipeline}}
      %x = tile.between %step from %c1 to %next
      tile.yield %old : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [ROWVALUES-1]
// expected-error @+1 {{expected a positive number of rows, got 0}}
func.func private @f() -> !tile.row_values<0>

// -----

// [PIPELINE-5] only warps that copy wait at a pipeline
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected a pipeline that waits to be of producers, without deferred buffers or pipelines inside}}
    %x = tile.pipeline %c0 as consumer waits init %z : !tile.accumulator<8x8> produce {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>):
      tile.yield
    } consume {
    ^bb0(%k: index, %left: !tile.buffer<8x64xbf16>, %acc: !tile.accumulator<8x8>):
      tile.yield %acc : !tile.accumulator<8x8>
    }
    tile.return
  }
}

// -----

// [KERNEL-5] an output changes
gpu.module @kernels {
  // expected-error @+1 {{expected inputs alone to be constant, got argument 1 of 1 inputs}}
  tile.kernel @f(%x: memref<8xf32>, %y: memref<8xf32> {tile.constant}) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
