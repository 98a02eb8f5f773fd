// A kernel that there is code for on a chip says so.
// RUN: block-opt %s --tile-check-tiles=chip=sm_80 | FileCheck %s
// RUN: block-opt %s --tile-check-tiles=chip=sm_80 -o %t && block-opt %t --tile-check-tiles=chip=sm_80 | diff %t -

gpu.module @kernels {
  // CHECK: tile.kernel @f() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>, workspaces = 0 : i64} {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x16>
    tile.return
  }
}
