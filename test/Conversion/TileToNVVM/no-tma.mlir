// Chips before Hopper have no tensor maps, and no clusters.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --verify-diagnostics --split-input-file

gpu.module @kernels {
  // expected-error @+1 {{no GPU code for chip sm_80: the schedule copies by tma, which it has not}}
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 1>} {
    tile.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{no GPU code for chip sm_80: the schedule joins a cluster, which it has not}}
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 2, cluster = 2, joins = true>} {
    tile.return
  }
}
