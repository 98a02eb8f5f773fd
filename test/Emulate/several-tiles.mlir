// Attention whose CTAs have several tiles each: queries of the next one come while
// this one's last keys pass, in rings that go round. Rows of 1 to 3 tiles of keys.
// RUN: rm -rf %t && mkdir %t
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a -o %t/tiles.mlir
// RUN: FileCheck %s < %t/tiles.mlir
// CHECK: grid = 12,
// CHECK: tile.pipeline %{{.*}} stages 2 init
// CHECK: grid = 6,
// CHECK: tile.pipeline %{{.*}} stages 2 init
// CHECK: tile.copy_out
// RUN: sed "s/grid = 12,/grid = 5,/; s/grid = 6,/grid = 1,/" %t/tiles.mlir > %t/rounds.mlir
// RUN: block-run %t/rounds.mlir --engine=emulate --chip=sm_90a --baseline=%s --seed=3 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: PASS small bf16
// ROUNDS: PASS large bf16
func.func @main(%s: tensor<2x300x128xbf16> {block.input = "s"}, %m: tensor<1x384x256xbf16> {block.input = "m"})
    -> (tensor<2x300x128xbf16> {block.output = "small"}, tensor<1x384x256xbf16> {block.output = "large"}) {
  %0 = block.kernel "sdpa" (%a = %s : tensor<2x300x128xbf16>) -> tensor<2x300x128xbf16> {
    %s0 = block.sdpa %a, %a, %a {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.125, causal = true>}
        : (tensor<2x300x128xbf16>, tensor<2x300x128xbf16>, tensor<2x300x128xbf16>) -> tensor<2x300x128xbf16>
    block.yield %s0 : tensor<2x300x128xbf16>
  }
  %1 = block.kernel "sdpa" (%a = %m : tensor<1x384x256xbf16>) -> tensor<1x384x256xbf16> {
    %s1 = block.sdpa %a, %a, %a {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.0884, causal = true>}
        : (tensor<1x384x256xbf16>, tensor<1x384x256xbf16>, tensor<1x384x256xbf16>) -> tensor<1x384x256xbf16>
    block.yield %s1 : tensor<1x384x256xbf16>
  }
  return %0, %1 : tensor<2x300x128xbf16>, tensor<1x384x256xbf16>
}
