// Pairs of CTAs share the weight where every multiprocessor has a tile, and where the
// row that a pair may have too many does not cost a round.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s

// 64 x 4 tiles for 132 multiprocessors.
// CHECK-LABEL: tile.kernel @linear_0(
// CHECK-NEXT: #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, grid = 132, cluster = 2>
// 32 x 4.
// CHECK-LABEL: tile.kernel @linear_1(
// CHECK-NOT: cluster
// 9 x 28: with 10 x 28, it would be three rounds instead of two.
// CHECK-LABEL: tile.kernel @linear_2(
// CHECK-NOT: cluster
// CHECK: func.func
func.func @main(%x: tensor<1x8192x1024xbf16>, %y: tensor<1x4096x1024xbf16>, %z: tensor<1x1152x1024xbf16>, %v: tensor<640x1024xbf16>, %w: tensor<7168x1024xbf16>)
    -> (tensor<1x8192x640xbf16>, tensor<1x4096x640xbf16>, tensor<1x1152x7168xbf16>) {
  %p = block.kernel "linear" (%a = %x : tensor<1x8192x1024xbf16>, %b = %v : tensor<640x1024xbf16>) -> tensor<1x8192x640xbf16> {
    %1 = block.linear %a, %b : (tensor<1x8192x1024xbf16>, tensor<640x1024xbf16>) -> tensor<1x8192x640xf32>
    %2 = arith.truncf %1 : tensor<1x8192x640xf32> to tensor<1x8192x640xbf16>
    block.yield %2 : tensor<1x8192x640xbf16>
  }
  %q = block.kernel "linear" (%a = %y : tensor<1x4096x1024xbf16>, %b = %v : tensor<640x1024xbf16>) -> tensor<1x4096x640xbf16> {
    %1 = block.linear %a, %b : (tensor<1x4096x1024xbf16>, tensor<640x1024xbf16>) -> tensor<1x4096x640xf32>
    %2 = arith.truncf %1 : tensor<1x4096x640xf32> to tensor<1x4096x640xbf16>
    block.yield %2 : tensor<1x4096x640xbf16>
  }
  %r = block.kernel "linear" (%a = %z : tensor<1x1152x1024xbf16>, %b = %w : tensor<7168x1024xbf16>) -> tensor<1x1152x7168xbf16> {
    %1 = block.linear %a, %b : (tensor<1x1152x1024xbf16>, tensor<7168x1024xbf16>) -> tensor<1x1152x7168xf32>
    %2 = arith.truncf %1 : tensor<1x1152x7168xf32> to tensor<1x1152x7168xbf16>
    block.yield %2 : tensor<1x1152x7168xbf16>
  }
  return %p, %q, %r : tensor<1x8192x640xbf16>, tensor<1x4096x640xbf16>, tensor<1x1152x7168xbf16>
}
