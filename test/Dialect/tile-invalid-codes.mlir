// RUN: block-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// [MMACODES-1] codes for each column
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x192xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{expected swizzled codes of i8 and a buffer of bf16 or f16 with a column for each of 64, got '!tile.buffer<8x128xi8, swizzled>' and '!tile.buffer<8x192xf16, swizzled>'}}
    %x = tile.mma_codes int8 %l, %r, %z : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x192xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}

// -----

// [MMACODES-1] two codes of a byte are two columns
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{with a column for each of 128, got}}
    %x = tile.mma_codes mxfp4 %l, %r, %z : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}

// -----

// [MMACODES-2] two rows of the product in a row of codes
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<8x8>
    // expected-error @+1 {{expected an accumulator of 16 rows and at most 8 columns, got '!tile.accumulator<8x8>'}}
    %x = tile.mma_codes int8 %l, %r, %z : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<8x8>
    tile.return
  }
}

// -----

// [MMACODES-3] a zero point for each scale
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{expected as many scales as zero points of type '!tile.row_values<16 of 8>', got 2 and 1}}
    %x = tile.mma_codes int8 %l, %r, %z scales %v, %v : !tile.row_values<16 of 8>, !tile.row_values<16 of 8> zeros %v : !tile.row_values<16 of 8> : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}

// -----

// [MMACODES-4] parts of whole instructions
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{expected parts of multiples of 16 columns, got 3 of 64}}
    %x = tile.mma_codes int8 %l, %r, %z scales %v, %v, %v : !tile.row_values<16 of 8>, !tile.row_values<16 of 8>, !tile.row_values<16 of 8> : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}

// -----

// [MMACODES-5] zero points of integers
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %l = "test.buffer"() : () -> !tile.buffer<8x128xi8, swizzled>
    %r = "test.buffer"() : () -> !tile.buffer<8x64xf16, swizzled>
    %v = "test.values"() : () -> !tile.row_values<16 of 8>
    %z = tile.zero : !tile.accumulator<16x8>
    // expected-error @+1 {{expected no zero points of fp8}}
    %x = tile.mma_codes fp8 %l, %r, %z zeros %v : !tile.row_values<16 of 8> : !tile.buffer<8x128xi8, swizzled>, !tile.buffer<8x64xf16, swizzled>, !tile.accumulator<16x8>
    tile.return
  }
}
