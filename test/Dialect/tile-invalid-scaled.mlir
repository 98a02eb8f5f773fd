// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [MMASCALED-1] numbers of 8 bits
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>, %c: memref<64x2xf32>, %h: memref<64x2xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<16x128xi8, swizzled>
    %n = "test.buffer"() : () -> !tile.buffer<16x128xbf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<64 of 16>
    %w = "test.values"() : () -> !tile.row_values<64 of 8>
    %z = tile.zero : !tile.accumulator<64x16>
    %y = tile.zero : !tile.accumulator<64x8>
    %i = arith.constant 0 : index
    // expected-error @+1 {{expected swizzled buffers of i8 with 128 columns, got '!tile.buffer<64x128xi8, swizzled>' and '!tile.buffer<16x128xbf16, swizzled>'}}
    %x = tile.mma_scaled %l, %n, %z scales %v : !tile.row_values<64 of 16> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xbf16, swizzled>, !tile.accumulator<64x16>
    tile.return
  }
}

// -----

// [MMASCALED-2] the rows of both operands
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>, %c: memref<64x2xf32>, %h: memref<64x2xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<16x128xi8, swizzled>
    %n = "test.buffer"() : () -> !tile.buffer<16x128xbf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<64 of 16>
    %w = "test.values"() : () -> !tile.row_values<64 of 8>
    %z = tile.zero : !tile.accumulator<64x16>
    %y = tile.zero : !tile.accumulator<64x8>
    %i = arith.constant 0 : index
    // expected-error @+1 {{expected an accumulator of 64 rows and 16 columns, got '!tile.accumulator<64x8>'}}
    %x = tile.mma_scaled %l, %r, %y scales %w : !tile.row_values<64 of 8> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x8>
    tile.return
  }
}

// -----

// [MMASCALED-3] scales of the rows
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>, %c: memref<64x2xf32>, %h: memref<64x2xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<16x128xi8, swizzled>
    %n = "test.buffer"() : () -> !tile.buffer<16x128xbf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<64 of 16>
    %w = "test.values"() : () -> !tile.row_values<64 of 8>
    %z = tile.zero : !tile.accumulator<64x16>
    %y = tile.zero : !tile.accumulator<64x8>
    %i = arith.constant 0 : index
    // expected-error @+1 {{expected scales of type '!tile.row_values<64>', got '!tile.row_values<64 of 8>'}}
    %x = tile.mma_scaled %l, %r, %z scales %w : !tile.row_values<64 of 8> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
    tile.return
  }
}

// -----

// [MMASCALED-4] scales of f32
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>, %c: memref<64x2xf32>, %h: memref<64x2xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<16x128xi8, swizzled>
    %n = "test.buffer"() : () -> !tile.buffer<16x128xbf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<64 of 16>
    %w = "test.values"() : () -> !tile.row_values<64 of 8>
    %z = tile.zero : !tile.accumulator<64x16>
    %y = tile.zero : !tile.accumulator<64x8>
    %i = arith.constant 0 : index
    // expected-error @+1 {{expected a static tensor of f32, a group, and pieces of multiples of 8 columns, got 'memref<64x2xbf16>' and 1 pieces}}
    %x = tile.mma_scaled %l, %r, %z scales %v : !tile.row_values<64 of 16> columns %h[%i] from %i : memref<64x2xbf16> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
    tile.return
  }
}

// -----

// [MMASCALED-4] pieces of whole blocks of columns
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>, %c: memref<64x2xf32>, %h: memref<64x2xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<64x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<16x128xi8, swizzled>
    %n = "test.buffer"() : () -> !tile.buffer<16x128xbf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<64 of 16>
    %w = "test.values"() : () -> !tile.row_values<64 of 8>
    %z = tile.zero : !tile.accumulator<64x16>
    %y = tile.zero : !tile.accumulator<64x8>
    %i = arith.constant 0 : index
    // expected-error @+1 {{pieces of multiples of 8 columns, got 'memref<64x2xf32>' and 4 pieces}}
    %x = tile.mma_scaled %l, %r, %z scales %v : !tile.row_values<64 of 16> columns %c[%i] from %i, %i, %i, %i : memref<64x2xf32> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
    tile.return
  }
}
