// Products whose tiles have 256 columns: the sums of a warp's rows go through shared
// memory in parts, whatever follows the product. The last tiles are not full.
// DAYS: 3, day 1
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --check-against=reference

// Rotation, which meets half a head further on, beside columns that are only scaled.
// CHECK-LABEL: tile.kernel @linear_0(
// CHECK: tile.stage %{{[^ ]+}}[0] part %[[PART:[^ ]+]] of 4 : <128x256> to <128x256xf32, padded>
// CHECK: tile.rows %{{[^ ]+}} below %{{[^ ]+}} extent 128 part %[[PART]] of 4
// Gate and up, and 40 columns less than tiles have.
// CHECK-LABEL: tile.kernel @linear_1(
// CHECK: tile.stage {{.*}} of 4 : <128x256>
// A skip, and statistics of it.
// CHECK-LABEL: tile.kernel @linear_2(
// CHECK: tile.stage {{.*}} of 4 : <128x256>
// A skip alone stays in registers: four pieces of 64 columns take turns in two buffers,
// or three.
// CHECK-LABEL: tile.kernel @linear_3(
// CHECK: tile.copy_out {{.*}} : <128x256> to memref<3x1000x1280xbf16>
// CHECK-LABEL: tile.kernel @linear_4(
// CHECK: tile.copy_out {{.*}} : <128x192> to memref<4x1000x640xbf16>
func.func @main(%x: tensor<3x1000x64xbf16> {block.input = "x"},
    %qv: tensor<1152x64xbf16> {block.param = "qv", block.init = #block.init<kind = normal, std = 1.0>},
    %up: tensor<2480x64xbf16> {block.param = "up", block.init = #block.init<kind = normal, std = 1.0>},
    %down: tensor<1280x64xbf16> {block.param = "down", block.init = #block.init<kind = normal, std = 1.0>},
    %skip: tensor<3x1000x1280xbf16> {block.input = "skip"}, %y: tensor<4x1000x64xbf16> {block.input = "y"},
    %third: tensor<640x64xbf16> {block.param = "third", block.init = #block.init<kind = normal, std = 1.0>})
    -> (tensor<3x1000x640xbf16> {block.output = "q"}, tensor<3x1000x512xbf16> {block.output = "v"},
        tensor<3x1000x1240xbf16> {block.output = "gated"},
        tensor<3x1000x1280xbf16> {block.output = "stream"}, tensor<3x1000x10xf32> {block.output = "partial"},
        tensor<3x1000x1280xbf16> {block.output = "sum"}, tensor<4x1000x640xbf16> {block.output = "plain"}) {
  %stats = block.kernel "rows" (%a = %x : tensor<3x1000x64xbf16>) -> tensor<3x1000x1xf32> {
    %1 = block.norm_stats %a : tensor<3x1000x64xbf16>
    block.yield %1 : tensor<3x1000x1xf32>
  }
  %0:2 = block.kernel "linear" (%a = %x : tensor<3x1000x64xbf16>, %b = %qv : tensor<1152x64xbf16>, %s = %stats : tensor<3x1000x1xf32>)
      -> (tensor<3x1000x640xbf16>, tensor<3x1000x512xbf16>) {
    %1 = block.linear %a, %b : (tensor<3x1000x64xbf16>, tensor<1152x64xbf16>) -> tensor<3x1000x1152xf32>
    %2:2 = block.split %1 : tensor<3x1000x1152xf32> -> (tensor<3x1000x640xf32>, tensor<3x1000x512xf32>)
    %3 = block.deferred_norm %2#0 moment %s {form = #block.norm<kind = rms, eps = 1.0e-06, rounding = before_gain>, width = 64}
        : tensor<3x1000x640xf32> -> tensor<3x1000x640xbf16>
    %4 = block.deferred_norm %2#1 moment %s {form = #block.norm<kind = rms, eps = 1.0e-06, rounding = before_gain>, width = 64}
        : tensor<3x1000x512xf32> -> tensor<3x1000x512xbf16>
    %5 = block.rope %3 {form = #block.rope<style = half, dim = 128>, heads = 5} : tensor<3x1000x640xbf16>
    block.yield %5, %4 : tensor<3x1000x640xbf16>, tensor<3x1000x512xbf16>
  }
  %6 = block.kernel "linear" (%a = %x : tensor<3x1000x64xbf16>, %b = %up : tensor<2480x64xbf16>) -> tensor<3x1000x1240xbf16> {
    %1 = block.linear %a, %b : (tensor<3x1000x64xbf16>, tensor<2480x64xbf16>) -> tensor<3x1000x2480xf32>
    %2:2 = block.split %1 : tensor<3x1000x2480xf32> -> (tensor<3x1000x1240xf32>, tensor<3x1000x1240xf32>)
    %3 = block.gate %2#0, %2#1 {kind = #block.activation<silu>} : tensor<3x1000x1240xf32>
    %4 = arith.truncf %3 : tensor<3x1000x1240xf32> to tensor<3x1000x1240xbf16>
    block.yield %4 : tensor<3x1000x1240xbf16>
  }
  %7:2 = block.kernel "linear" (%a = %x : tensor<3x1000x64xbf16>, %b = %down : tensor<1280x64xbf16>, %c = %skip : tensor<3x1000x1280xbf16>)
      -> (tensor<3x1000x1280xbf16>, tensor<3x1000x10xf32>) {
    %1 = block.linear %a, %b : (tensor<3x1000x64xbf16>, tensor<1280x64xbf16>) -> tensor<3x1000x1280xf32>
    %2 = block.residual %c, %1 : (tensor<3x1000x1280xbf16>, tensor<3x1000x1280xf32>) -> tensor<3x1000x1280xbf16>
    %3 = block.partial_stats %2 {tile = 128} : tensor<3x1000x1280xbf16>
    block.yield %2, %3 : tensor<3x1000x1280xbf16>, tensor<3x1000x10xf32>
  }
  %8 = block.kernel "linear" (%a = %x : tensor<3x1000x64xbf16>, %b = %down : tensor<1280x64xbf16>, %c = %skip : tensor<3x1000x1280xbf16>)
      -> tensor<3x1000x1280xbf16> {
    %1 = block.linear %a, %b : (tensor<3x1000x64xbf16>, tensor<1280x64xbf16>) -> tensor<3x1000x1280xf32>
    %2 = block.residual %c, %1 : (tensor<3x1000x1280xbf16>, tensor<3x1000x1280xf32>) -> tensor<3x1000x1280xbf16>
    block.yield %2 : tensor<3x1000x1280xbf16>
  }
  %9 = block.kernel "linear" (%a = %y : tensor<4x1000x64xbf16>, %b = %third : tensor<640x64xbf16>) -> tensor<4x1000x640xbf16> {
    %1 = block.linear %a, %b : (tensor<4x1000x64xbf16>, tensor<640x64xbf16>) -> tensor<4x1000x640xf32>
    %2 = arith.truncf %1 : tensor<4x1000x640xf32> to tensor<4x1000x640xbf16>
    block.yield %2 : tensor<4x1000x640xbf16>
  }
  return %0#0, %0#1, %6, %7#0, %7#1, %8, %9 : tensor<3x1000x640xbf16>, tensor<3x1000x512xbf16>, tensor<3x1000x1240xbf16>, tensor<3x1000x1280xbf16>, tensor<3x1000x10xf32>, tensor<3x1000x1280xbf16>, tensor<4x1000x640xbf16>
}
