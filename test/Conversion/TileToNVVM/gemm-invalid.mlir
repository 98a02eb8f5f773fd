// Tiles and schedules that there is no code for.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --verify-diagnostics --split-input-file

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 3, grid = 1>} {
    // expected-error @+1 {{expected an accumulator that 3 warps can share with mma, got '!tile.accumulator<16x32>'}}
    %zero = tile.zero : !tile.accumulator<16x32>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    // expected-error @+1 {{expected an accumulator that 4 warps can share with wgmma, got '!tile.accumulator<128x32>'}}
    %zero = tile.zero : !tile.accumulator<128x32>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    // expected-error @+1 {{expected an accumulator that 1 warps can share with none, got '!tile.accumulator<16x16>'}}
    %zero = tile.zero : !tile.accumulator<16x16>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = fma, warps = 8, grid = 1>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<128x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %codes: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %codes: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<64x64xf16, swizzled>, %before: !tile.accumulator<128x64>):
      // expected-error @+1 {{expected mma or wgmma for codes, got fma}}
      %after = tile.mma_codes int8 %codes, %right, %before : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<64x64xf16, swizzled>, !tile.accumulator<128x64>
      tile.yield %after : !tile.accumulator<128x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%scale: memref<64xf32>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 4, grid = 1>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x16>
    %values = tile.map : () -> !tile.row_values<64 of 16> {
    ^bb0(%row: index):
      %one = tile.load %scale[%row] : memref<64xf32> to f32
      tile.yield %one : f32
    }
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x16> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<16x128xi8, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<16x128xi8, swizzled>, %before: !tile.accumulator<64x16>):
      // expected-error @+1 {{expected wgmma for numbers of 8 bits, got mma}}
      %after = tile.mma_scaled %left, %right, %before scales %values : !tile.row_values<64 of 16> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
      tile.yield %after : !tile.accumulator<64x16>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %both: !tile.buffer<16x32xf32, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %both: !tile.buffer<16x32xf32, swizzled>, %before: !tile.accumulator<16x16>):
      // expected-error @+1 {{mma expects swizzled buffers of bf16 or f16, got '!tile.buffer<16x32xf32, swizzled>'}}
      %after = tile.mma %both, %both, %before : !tile.buffer<16x32xf32, swizzled>, !tile.buffer<16x32xf32, swizzled>, !tile.accumulator<16x16>
      tile.yield %after : !tile.accumulator<16x16>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<16x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16>):
      // expected-error @+1 {{expected a swizzled buffer, got '!tile.buffer<16x64xbf16>'}}
      tile.copy %a[%c0, %c0] to %tile[0, 16] : memref<16x64xbf16> to !tile.buffer<16x64xbf16>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<16x64xbf16>, %before: !tile.accumulator<16x16>):
      tile.yield %before : !tile.accumulator<16x16>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<512x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %tile: !tile.buffer<512x64xbf16, swizzled>):
      // expected-error @+1 {{expected at most 256 rows of a tensor map, got 512}}
      tile.copy %a[%c0, %c0] to %tile[0, 512] : memref<512x64xbf16> to !tile.buffer<512x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<512x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<64x65xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>):
      // expected-error @+1 {{expected rows of a multiple of 16 bytes for a tensor map, got 130}}
      tile.copy %a[%c0, %c0] to %tile[0, 64] : memref<64x65xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %part = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x32>
    // expected-error @+1 {{'tile.stage' op expected parts of the 16 rows that a warp has with wgmma, got 4 of 16 rows for 1 warps}}
    %staged = tile.stage %zero[0] part %part of 4 : !tile.accumulator<16x32> to !tile.buffer<16x32xf32, padded>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x32>
    // expected-error @+1 {{expected a buffer that is not swizzled, got '!tile.buffer<16x32xf32, swizzled>'}}
    %staged = tile.stage %zero[0] : !tile.accumulator<16x32> to !tile.buffer<16x32xf32, swizzled>
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{no GPU code for chip sm_90a: the kernel takes 268288 bytes of shared memory, expected at most 232448}}
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 8, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<256x256>
    %staged = tile.stage %zero[0] : !tile.accumulator<256x256> to !tile.buffer<256x254xf32, padded>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<16x16>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<16x16> produce {
    ^bb0(%step: index, %l: !tile.buffer<16x128xbf16, swizzled>, %r: !tile.buffer<16x128xbf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<16x128xbf16, swizzled>, %r: !tile.buffer<16x128xbf16, swizzled>, %before: !tile.accumulator<16x16>):
      // expected-error @+1 {{expected a depth of a multiple of 16, got 72}}
      %after = tile.mma %l, %r, %before depth 72 : !tile.buffer<16x128xbf16, swizzled>, !tile.buffer<16x128xbf16, swizzled>, !tile.accumulator<16x16>
      tile.yield %after : !tile.accumulator<16x16>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %l: !tile.buffer<24x64xbf16, swizzled>, %r: !tile.buffer<24x64xbf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<24x64xbf16, swizzled>, %r: !tile.buffer<24x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      // expected-error @+1 {{expected a depth of a multiple of 16, got 24}}
      %after = tile.mma %l depth_first, %r depth_first, %before : !tile.buffer<24x64xbf16, swizzled>, !tile.buffer<24x64xbf16, swizzled>, !tile.accumulator<64x64>
      tile.yield %after : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

// A cluster works in step: here its CTAs may come to different pipelines.
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 2, cluster = 2>} {
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    // expected-error @+1 {{a cluster expects pipelines directly in tile.tiles, with a number of steps that does not depend on the row}}
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

// Here one would take more steps than the other.
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 2, cluster = 2>} {
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c2) band 8 {
      %steps = arith.addi %i, %j : index
      %zero = tile.zero : !tile.accumulator<64x64>
      // expected-error @+1 {{a cluster expects pipelines directly in tile.tiles, with a number of steps that does not depend on the row}}
      %sum = tile.pipeline %steps init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>):
        tile.yield
      } consume {
      ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
        tile.yield %before : !tile.accumulator<64x64>
      }
    }
    tile.return
  }
}

// -----

// A row past the end has no counter.
gpu.module @kernels {
  tile.kernel @f(%counters: memref<4xi32>) attributes {outputs = 0 : i64, workspaces = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 2, cluster = 2>} {
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c2) band 8 {
      // expected-error @+1 {{a cluster expects no tile.join}}
      tile.join %counters[%i] of %c2 : memref<4xi32> {
        tile.yield
      }
    }
    tile.return
  }
}

// -----

// CTAs that are no cluster cannot read what others have staged.
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 4, grid = 2>} {
    %c2 = arith.constant 2 : index
    tile.tiles (%i, %j) below (%c2, %c2) band 8 {
      %zero = tile.zero : !tile.accumulator<64x64>
      %staged = tile.stage %zero[0] : !tile.accumulator<64x64> to !tile.buffer<64x64xf32, padded>
      // expected-error @+1 {{expected a schedule whose cluster joins}}
      tile.join_cluster %staged below %c2 extent 2 : <64x64xf32, padded> {
      }
    }
    tile.return
  }
}

// -----

// Warps that copy would not come to the barriers of a fold.
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c1 = arith.constant 1 : index
    tile.tiles (%i, %j) below (%c1, %c1) band 8 {
      // expected-error @+1 {{expected a schedule without producers, got 4}}
      %sum = tile.fold <add> %i to %c1 : (i64) {
      ^bb0(%column: index):
        %one = arith.constant 1 : i64
        tile.yield %one : i64
      }
    }
    tile.return
  }
}

// -----

// Rows are combined by one warp: it must have all of their columns.
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 2, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<32x32>
    // expected-error @+1 {{expected a schedule with whole_rows}}
    %sum = tile.combine <add> %zero : !tile.accumulator<32x32> to !tile.row_values<32>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<64x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>):
      // expected-error @+1 {{expected a copy by a tensor map of one part}}
      tile.copy %a[%c0, %c0] width 32 parts 2 to %l[0, 64] : memref<64x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<9x16x64xbf16>, %p: memref<2x4xi64>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>):
      // expected-error @+1 {{expected a copy by a tensor map of rows that follow each other, got pages}}
      tile.copy %a[%c0, %c0] pages %p[%c0] : memref<2x4xi64> to %l[0, 64] : memref<9x16x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%a: memref<64x64xbf16>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x64> produce {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>):
      // expected-error @+1 {{expected rows of whole parts of a multiple of 16 bytes, got 48 columns of 'memref<64x64xbf16>'}}
      tile.copy %a[%c0, %c0] width 48 to %l[0, 64] : memref<64x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
      tile.yield
    } consume {
    ^bb0(%step: index, %l: !tile.buffer<64x64xbf16, swizzled>, %before: !tile.accumulator<64x64>):
      tile.yield %before : !tile.accumulator<64x64>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%y: memref<16x64xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %c0 = arith.constant 0 : index
    %zero = tile.zero : !tile.accumulator<16x64>
    // expected-error @+1 {{expected a schedule that multiplies by wgmma}}
    tile.copy_out %zero to %y[%c0, %c0] : !tile.accumulator<16x64> to memref<16x64xbf16>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%y: memref<64x96xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %zero = tile.zero : !tile.accumulator<64x96>
    // expected-error @+1 {{expected an accumulator with a multiple of 64 columns, got '!tile.accumulator<64x96>'}}
    tile.copy_out %zero to %y[%c0, %c0] : !tile.accumulator<64x96> to memref<64x96xbf16>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%y: memref<64x60xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %zero = tile.zero : !tile.accumulator<64x64>
    // expected-error @+1 {{expected rows of a multiple of 16 bytes for a tensor map, got 'memref<64x60xbf16>'}}
    tile.copy_out %zero to %y[%c0, %c0] : !tile.accumulator<64x64> to memref<64x60xbf16>
    tile.return
  }
}
