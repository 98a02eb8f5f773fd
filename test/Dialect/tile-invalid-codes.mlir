// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [MMA-1] codes for each column
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x192xf16, swizzled>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{expected swizzled codes of i8 and a buffer of bf16 or f16 with a column for each byte, or for two, got '!tile.buffer<8x128xi8, swizzled>' and '!tile.buffer<8x192xf16, swizzled>'}}
    %x = tile.mma %l, %r, %z : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x192xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}

// -----

// [MMA-2] two rows of the product in a row of codes
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected an accumulator of 16 rows and at most 8 columns, got '!tile.accumulator<8x8>'}}
    %x = tile.mma %l, %r, %z : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<8x8>
    tile.return
  }
}
