// A kernel is for one chip; tiles that there is no code for are in
// test/Conversion/TileToNVVM/gemm-invalid.mlir.
// RUN: block-opt %s --tile-check-tiles=chip=sm_90a --verify-diagnostics

gpu.module @kernels {
  // expected-error @+1 {{expected a kernel for chip sm_90a, got one for sm_80}}
  tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}
