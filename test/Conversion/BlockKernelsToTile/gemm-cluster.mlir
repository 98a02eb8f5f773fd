// Pairs of CTAs share the weight where there are two rounds of tiles at least, and
// where the row that a pair may have too many does not cost a round.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s

// 64 x 5 tiles for 132 multiprocessors.
// CHECK-LABEL: tile.kernel @linear_0(
// CHECK-NEXT: #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, grid = 132, cluster = 2>
// 32 x 5.
// CHECK-LABEL: tile.kernel @linear_1(
// CHECK-NOT: cluster
// 3 x 100: with 4 x 100, it would be four rounds instead of three.
// CHECK-LABEL: tile.kernel @linear_2(
// CHECK-NOT: cluster
// CHECK: func.func
func.func @main(%x: tensor<1x8192x64xbf16>, %y: tensor<1x4096x64xbf16>, %z: tensor<1x384x64xbf16>, %v: tensor<640x64xbf16>, %w: tensor<12800x64xbf16>)
    -> (tensor<1x8192x640xbf16>, tensor<1x4096x640xbf16>, tensor<1x384x12800xbf16>) {
  %p = block.kernel "linear" (%a = %x : tensor<1x8192x64xbf16>, %b = %v : tensor<640x64xbf16>) -> tensor<1x8192x640xbf16> {
    %1 = block.linear %a, %b : (tensor<1x8192x64xbf16>, tensor<640x64xbf16>) -> tensor<1x8192x640xf32>
    %2 = arith.truncf %1 : tensor<1x8192x640xf32> to tensor<1x8192x640xbf16>
    block.yield %2 : tensor<1x8192x640xbf16>
  }
  %q = block.kernel "linear" (%a = %y : tensor<1x4096x64xbf16>, %b = %v : tensor<640x64xbf16>) -> tensor<1x4096x640xbf16> {
    %1 = block.linear %a, %b : (tensor<1x4096x64xbf16>, tensor<640x64xbf16>) -> tensor<1x4096x640xf32>
    %2 = arith.truncf %1 : tensor<1x4096x640xf32> to tensor<1x4096x640xbf16>
    block.yield %2 : tensor<1x4096x640xbf16>
  }
  %r = block.kernel "linear" (%a = %z : tensor<1x384x64xbf16>, %b = %w : tensor<12800x64xbf16>) -> tensor<1x384x12800xbf16> {
    %1 = block.linear %a, %b : (tensor<1x384x64xbf16>, tensor<12800x64xbf16>) -> tensor<1x384x12800xf32>
    %2 = arith.truncf %1 : tensor<1x384x12800xf32> to tensor<1x384x12800xbf16>
    block.yield %2 : tensor<1x384x12800xbf16>
  }
  return %p, %q, %r : tensor<1x8192x640xbf16>, tensor<1x4096x640xbf16>, tensor<1x384x12800xbf16>
}
