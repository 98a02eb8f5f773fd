// What is done for a chip needs to know which.
// RUN: block-opt %s --tile-wait-for-launch --verify-diagnostics

gpu.module @kernels {
  // expected-error @+1 {{expected kernel 'f' to have been through tile-check-tiles before}}
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}
