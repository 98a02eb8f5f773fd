// Rules of what threads fill.
// RUN: block-opt %s --split-input-file --verify-diagnostics

// [FILL-1] a row and a column
tile.kernel @f(%x: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
  %b = tile.shared : !tile.buffer<8x2xf32>
  // expected-error @+1 {{expected a body with 2 arguments of type index, got 1 arguments}}
  tile.fill %b : !tile.buffer<8x2xf32> {
  ^bb0(%row: index):
    %0 = arith.constant 0.0 : f32
    tile.yield %0 : f32
  }
  tile.return
}

// -----

// [FILL-1] one number
tile.kernel @f(%x: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
  %b = tile.shared : !tile.buffer<8x2xf32>
  // expected-error @+1 {{expected the body to yield one f32, got 'tile.yield' of ('index')}}
  tile.fill %b : !tile.buffer<8x2xf32> {
  ^bb0(%row: index, %column: index):
    tile.yield %row : index
  }
  tile.return
}

// -----

// [FILL-2] a buffer of the step
tile.kernel @f(%x: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
  %c1 = arith.constant 1 : index
  %zero = tile.zero : !tile.accumulator<64x128>
  %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x128> produce {
  ^bb0(%step: index, %a: !tile.buffer<64x32xf32, swizzled>):
    // expected-error @+1 {{expected a tile.shared, or a buffer that consume of its pipeline gets, got an argument of tile.pipeline}}
    tile.fill %a : !tile.buffer<64x32xf32, swizzled> {
    ^bb0(%row: index, %column: index):
      %0 = arith.constant 0.0 : f32
      tile.yield %0 : f32
    }
    tile.yield
  } consume {
  ^bb0(%step: index, %a: !tile.buffer<64x32xf32, swizzled>, %before: !tile.accumulator<64x128>):
    tile.yield %before : !tile.accumulator<64x128>
  }
  tile.return
}

// -----

// [FILL-3] floats
tile.kernel @f(%x: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
  %c1 = arith.constant 1 : index
  %zero = tile.zero : !tile.accumulator<64x128>
  %sum = tile.pipeline %c1 init %zero : !tile.accumulator<64x128> produce {
  ^bb0(%step: index, %a: !tile.buffer<64x128xi8, swizzled>):
    tile.yield
  } consume {
  ^bb0(%step: index, %a: !tile.buffer<64x128xi8, swizzled>, %before: !tile.accumulator<64x128>):
    // expected-error @+1 {{expected floats in rows of a multiple of 4 bytes, got '!tile.buffer<64x128xi8, swizzled>'}}
    tile.fill %a : !tile.buffer<64x128xi8, swizzled> {
    ^bb0(%row: index, %column: index):
      %0 = arith.constant 0.0 : f32
      tile.yield %0 : f32
    }
    tile.yield %before : !tile.accumulator<64x128>
  }
  tile.return
}

// -----

// [SHARED-1] plain rows
tile.kernel @f(%x: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
  // expected-error @+1 {{expected rows of f32, got '!tile.buffer<8x64xbf16, swizzled>'}}
  %b = tile.shared : !tile.buffer<8x64xbf16, swizzled>
  tile.return
}
