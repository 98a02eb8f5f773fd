// Products of the same architecture with other multiprocessors have other tiles and grids; the code is for the architecture.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,H200
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a-h100-pcie | FileCheck %s --check-prefixes=CHECK,PCIE
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a-h20 | FileCheck %s --check-prefixes=CHECK,H20
// RUN: block-translate --block-to-ptx --chip=sm_90a-h20 %s | FileCheck %s --check-prefix=PTX
// PTX: .target sm_90a{{$}}

// 16 row tiles of 128. In columns of 192, 256 tiles are two rounds of 132, in columns of 256, 192 are two of 114. An H20's
// tensor cores are slow: those of 128 x 128 are as busy, and 384 tiles are five rounds of 78 that waste the least.
// CHECK-LABEL: tile.kernel @linear_0(
// H200: grid = 132, cluster = 2>
// PCIE: grid = 114, cluster = 2>
// H20: grid = 78>
// H200: tile.accumulator<128x192>
// PCIE: tile.accumulator<128x256>
// H20: tile.accumulator<128x128>
// Attention, and rows: four CTAs a multiprocessor, of four rows each.
// CHECK-LABEL: tile.kernel @sdpa_0(
// H200: grid = 132,
// PCIE: grid = 114,
// H20: grid = 78,
// CHECK-LABEL: tile.kernel @rows_0(
// H200: grid = 512>
// PCIE: grid = 456>
// H20: grid = 312>
func.func @main(%x: tensor<1x2048x1024xbf16>, %w: tensor<3072x1024xbf16>) -> (tensor<1x2048x3072xbf16>, tensor<1x2048x1024xbf16>, tensor<1x2048x1024xbf16>) {
  %p = block.kernel "linear" (%a = %x : tensor<1x2048x1024xbf16>, %b = %w : tensor<3072x1024xbf16>) -> tensor<1x2048x3072xbf16> {
    %1 = block.linear %a, %b : (tensor<1x2048x1024xbf16>, tensor<3072x1024xbf16>) -> tensor<1x2048x3072xf32>
    %2 = arith.truncf %1 : tensor<1x2048x3072xf32> to tensor<1x2048x3072xbf16>
    block.yield %2 : tensor<1x2048x3072xbf16>
  }
  %s = block.kernel "sdpa" (%a = %x : tensor<1x2048x1024xbf16>) -> tensor<1x2048x1024xbf16> {
    %1 = block.sdpa %a, %a, %a {heads = 16 : i64, kv_heads = 16 : i64, scores = #block.scores<scale = 0.125, causal = true>} : (tensor<1x2048x1024xbf16>, tensor<1x2048x1024xbf16>, tensor<1x2048x1024xbf16>) -> tensor<1x2048x1024xbf16>
    block.yield %1 : tensor<1x2048x1024xbf16>
  }
  %r = block.kernel "rows" (%a = %x : tensor<1x2048x1024xbf16>) -> tensor<1x2048x1024xbf16> {
    %1 = block.activation %a {kind = #block.activation<tanh>} : tensor<1x2048x1024xbf16>
    block.yield %1 : tensor<1x2048x1024xbf16>
  }
  return %p, %s, %r : tensor<1x2048x3072xbf16>, tensor<1x2048x1024xbf16>, tensor<1x2048x1024xbf16>
}
