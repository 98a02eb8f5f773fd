// A product of 65 x 10 tiles, which pairs of CTAs work on: the last pair of a column
// has one row of tiles only, and that is not full.
// DAYS: 3, day 1
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// CHECK: #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, grid = 132, cluster = 2>
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --check-against=reference

func.func @main(%x: tensor<1x8300x128xbf16> {block.input = "x"}, %w: tensor<1280x128xbf16> {block.param = "w", block.init = #block.init<kind = normal, std = 1.0>})
    -> (tensor<1x8300x1280xbf16> {block.output = "y"}) {
  %y = block.kernel "linear" (%a = %x : tensor<1x8300x128xbf16>, %b = %w : tensor<1280x128xbf16>) -> tensor<1x8300x1280xbf16> {
    %1 = block.linear %a, %b : (tensor<1x8300x128xbf16>, tensor<1280x128xbf16>) -> tensor<1x8300x1280xf32>
    %2 = arith.truncf %1 : tensor<1x8300x1280xf32> to tensor<1x8300x1280xbf16>
    block.yield %2 : tensor<1x8300x1280xbf16>
  }
  return %y : tensor<1x8300x1280xbf16>
}
