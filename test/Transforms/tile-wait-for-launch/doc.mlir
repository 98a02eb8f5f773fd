// On sm_90a a kernel waits for the launch before by itself; elsewhere that stays with the driver.
// RUN: block-opt %s --tile-wait-for-launch | FileCheck %s
// RUN: block-opt %s --tile-wait-for-launch -o %t && block-opt %t --tile-wait-for-launch | diff %t -

gpu.module @kernels {
  // CHECK: tile.kernel @hopper() attributes {chip = "sm_90a", outputs = 0 : i64, programmatic, schedule = #tile.schedule<warps = 1, grid = 1>, workspaces = 0 : i64} {
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}wait
  // CHECK-NEXT: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK-NEXT: tile.return
  tile.kernel @hopper() attributes {chip = "sm_90a", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }

  // CHECK: tile.kernel @ampere() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, workspaces = 0 : i64} {
  // CHECK-NEXT: tile.return
  tile.kernel @ampere() attributes {chip = "sm_80", outputs = 0 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}
