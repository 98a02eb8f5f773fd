// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [STAGE-1] f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x64>
    // expected-error @+1 {{expected an f32 buffer with rows of '!tile.accumulator<8x64>' and columns from 0 on, got '!tile.buffer<8x64xbf16>'}}
    %b = tile.stage %z[0] : !tile.accumulator<8x64> to !tile.buffer<8x64xbf16>
    tile.return
  }
}

// -----

// [STAGE-1] all rows
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x64>
    // expected-error @+1 {{expected an f32 buffer with rows of '!tile.accumulator<8x64>' and columns from 0 on, got '!tile.buffer<4x64xf32>'}}
    %b = tile.stage %z[0] : !tile.accumulator<8x64> to !tile.buffer<4x64xf32>
    tile.return
  }
}

// -----

// [STAGE-1] columns that are there
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = tile.zero : !tile.accumulator<8x64>
    // expected-error @+1 {{expected an f32 buffer with rows of '!tile.accumulator<8x64>' and columns from 32 on, got '!tile.buffer<8x64xf32>'}}
    %b = tile.stage %z[32] : !tile.accumulator<8x64> to !tile.buffer<8x64xf32>
    tile.return
  }
}

// -----

// [STAGE-2] a part of several
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %z = tile.zero : !tile.accumulator<8x64>
    // expected-error @+1 {{expected a part of several that divide 8 rows, or none of 1, got one of 3}}
    %b = tile.stage %z[0] part %c0 of 3 : !tile.accumulator<8x64> to !tile.buffer<8x64xf32>
    tile.return
  }
}

// -----

// [COPYOUT-1] a dimension
gpu.module @kernels {
  tile.kernel @f(%a: memref<bf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %z = tile.zero : !tile.accumulator<64x64>
    // expected-error @+1 {{expected a tensor with a dimension, got 'memref<bf16>'}}
    tile.copy_out %z to %a[%c0, %c0] : !tile.accumulator<64x64> to memref<bf16>
    tile.return
  }
}


// -----

// [STAGE-3] columns are rows
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %z = tile.zero : !tile.accumulator<64x8>
    // expected-error @+1 {{expected an f32 buffer with the columns of '!tile.accumulator<64x8>' as rows, from 0 on and in one part, got '!tile.buffer<8x32xf32>' from 0 on, in 1 parts}}
    %b = tile.stage %z[0] transposed : !tile.accumulator<64x8> to !tile.buffer<8x32xf32>
    tile.return
  }
}

// -----

// [STAGE-3] no part
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c1 = arith.constant 1 : index
    %z = tile.zero : !tile.accumulator<64x8>
    // expected-error @+1 {{as rows, from 0 on and in one part, got}}
    %b = tile.stage %z[0] part %c1 of 1 transposed : !tile.accumulator<64x8> to !tile.buffer<8x64xf32>
    tile.return
  }
}

// -----

// [JOINCLUSTER-1] rows of the buffer
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 2, cluster = 2, joins = true>} {
    %c8 = arith.constant 8 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xf32, padded>
    // expected-error @+1 {{expected a buffer of f32 that is not swizzled, with columns in fours, and 1 to 8 rows of it, got 9 of '!tile.buffer<8x64xf32, padded>'}}
    tile.join_cluster %b below %c8 extent 9 : <8x64xf32, padded> {
    }
    tile.return
  }
}

// -----

// [JOINCLUSTER-1] sums
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 2, cluster = 2, joins = true>} {
    %c8 = arith.constant 8 : index
    %b = "test.buffer"() : () -> !tile.buffer<8x64xbf16>
    // expected-error @+1 {{expected a buffer of f32 that is not swizzled, with columns in fours, and 1 to 8 rows of it, got 8 of '!tile.buffer<8x64xbf16>'}}
    tile.join_cluster %b below %c8 extent 8 : <8x64xbf16> {
    }
    tile.return
  }
}
