// Columns of a product fall into groups: here k, a head each, and a gate with what it
// gates, which lie apart in the weight and meet in one tile, in two pieces.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_80 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,AMPERE

// CHECK: gpu.module @kernels
// HOPPER: tile.kernel @linear_0({{.*}})
// HOPPER-NEXT: attributes {outputs = 2 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, grid = 104>,
// HOPPER-NEXT: workspaces = 0 : i64} {
// AMPERE: tile.kernel @linear_0({{.*}})
// AMPERE-NEXT: attributes {outputs = 2 : i64, schedule = #tile.schedule<multiply = mma, copies = async, warps = 8, stages = 3, grid = 104>{{.*}}}
// A head of 48 columns twice: 96 of 128 columns, three tiles of k; five of the gate.
// CHECK-DAG: %[[K:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[ALL:.*]] = arith.constant 8 : index
// CHECK: tile.tiles (%{{.*}}, %[[COLUMN:.*]]) below (%{{.*}}, %[[ALL]]) band 8 {
// CHECK: arith.cmpi slt, %[[COLUMN]], %[[K]]
// CHECK: tile.pipeline
// CHECK: tile.copy %arg0[{{.*}}] to %{{.*}}[0, 128]
// CHECK: tile.copy %arg1[{{.*}}] to %{{.*}}[0, 64]
// CHECK: tile.copy %arg1[{{.*}}] to %{{.*}}[64, 64]
// CHECK: tile.mma
// CHECK: tile.stage %{{.*}}[0] : <128x128> to <128x128xf32, padded>
// CHECK: scf.if
// CHECK: tile.store %{{.*}}, %arg2[
// CHECK: } else {
// CHECK: tile.store %{{.*}}, %arg3[
// CHECK-NOT: tile.kernel
// CHECK: func.func @main
// CHECK: tile.launch @kernels::@linear_0(%arg0, %arg1)
// The same kernel again: no second program.
// CHECK: tile.launch @kernels::@linear_0(%arg0, %arg2)
func.func @main(%x: tensor<8x208x64xbf16>, %w: tensor<880x64xbf16>, %v: tensor<880x64xbf16>)
    -> (tensor<8x208x240xbf16>, tensor<8x208x320xbf16>, tensor<8x208x240xbf16>, tensor<8x208x320xbf16>) {
  %0:2 = block.kernel "linear" (%a = %x : tensor<8x208x64xbf16>, %b = %w : tensor<880x64xbf16>) -> (tensor<8x208x240xbf16>, tensor<8x208x320xbf16>) {
    %1 = block.linear %a, %b : (tensor<8x208x64xbf16>, tensor<880x64xbf16>) -> tensor<8x208x880xf32>
    %2:3 = block.split %1 : (tensor<8x208x880xf32>) -> (tensor<8x208x320xf32>, tensor<8x208x240xf32>, tensor<8x208x320xf32>)
    %3 = arith.truncf %2#1 : tensor<8x208x240xf32> to tensor<8x208x240xbf16>
    %4 = block.rope %3 {form = #block.rope<style = half, dim = 48>, heads = 5 : i64} : (tensor<8x208x240xbf16>) -> tensor<8x208x240xbf16>
    %5 = arith.truncf %2#0 : tensor<8x208x320xf32> to tensor<8x208x320xbf16>
    %6 = arith.truncf %2#2 : tensor<8x208x320xf32> to tensor<8x208x320xbf16>
    %7 = block.gate %5, %6 {kind = #block.activation<silu>} : tensor<8x208x320xbf16>
    block.yield %4, %7 : tensor<8x208x240xbf16>, tensor<8x208x320xbf16>
  }
  %8:2 = block.kernel "linear" (%a = %x : tensor<8x208x64xbf16>, %b = %v : tensor<880x64xbf16>) -> (tensor<8x208x240xbf16>, tensor<8x208x320xbf16>) {
    %1 = block.linear %a, %b : (tensor<8x208x64xbf16>, tensor<880x64xbf16>) -> tensor<8x208x880xf32>
    %2:3 = block.split %1 : (tensor<8x208x880xf32>) -> (tensor<8x208x320xf32>, tensor<8x208x240xf32>, tensor<8x208x320xf32>)
    %3 = arith.truncf %2#1 : tensor<8x208x240xf32> to tensor<8x208x240xbf16>
    %4 = block.rope %3 {form = #block.rope<style = half, dim = 48>, heads = 5 : i64} : (tensor<8x208x240xbf16>) -> tensor<8x208x240xbf16>
    %5 = arith.truncf %2#0 : tensor<8x208x320xf32> to tensor<8x208x320xbf16>
    %6 = arith.truncf %2#2 : tensor<8x208x320xf32> to tensor<8x208x320xbf16>
    %7 = block.gate %5, %6 {kind = #block.activation<silu>} : tensor<8x208x320xbf16>
    block.yield %4, %7 : tensor<8x208x240xbf16>, tensor<8x208x320xbf16>
  }
  return %0#0, %0#1, %8#0, %8#1 : tensor<8x208x240xbf16>, tensor<8x208x320xbf16>, tensor<8x208x240xbf16>, tensor<8x208x320xbf16>
}
