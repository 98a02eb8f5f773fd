// A token, or a few, after a long past: CTAs share the keys of a tile, and the last
// one joins what they found. Some have no keys at all.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @sdpa_0({{.*}}, %[[PARTS:.*]]: memref<2048x18xf32>, %[[COUNTERS:.*]]: memref<4xi32>) attributes {{.*}}multiply = mma, copies = async, warps = 1, {{.*}} grid = 128, {{.*}}workspaces = 2
// TILE: tile.join %[[COUNTERS]][%{{.*}}] of 32
// RUN: block-run %s --engine=emulate --chip=sm_90a --dims=past=431 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_80 --dims=past=3 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: sed 's/2x1x/2x5x/g; s/causal = true/causal = true, window = 300, softcap = 3.0/' %s > %t.few.mlir
// RUN: block-run %t.few.mlir --engine=emulate --chip=sm_80 --dims=past=530 --seed=7 --threads=1 --baseline=%t.few.mlir | FileCheck %s
// RUN: sed 's/bf16/f32/g' %s > %t.f32.mlir
// RUN: block-run %t.f32.mlir --engine=emulate --chip=sm_80 --dims=past=200 --seed=7 --threads=1 --baseline=%t.f32.mlir | FileCheck %s
// CHECK: PASS o

// Where the batch is not known, nor is how many parts there are.
// RUN: sed 's/<2x/<?x/g; s/\["past"\]/["batch", "past"]/g' %s > %t.batch.mlir
// RUN: block-opt %t.batch.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=BATCH
// BATCH-NOT: tile.join
// BATCH: tile.kernel
// BATCH-NOT: tile.join
func.func @main(%q: tensor<2x1x64xbf16> {block.input = "q"}, %k: tensor<2x1x32xbf16> {block.input = "k"}, %v: tensor<2x1x32xbf16> {block.input = "v"}, %pk: tensor<2x?x32xbf16> {block.input = "pk", block.dims = ["past"]}, %pv: tensor<2x?x32xbf16> {block.input = "pv", block.dims = ["past"]}) -> (tensor<2x1x64xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x1x64xbf16>, %b = %k : tensor<2x1x32xbf16>, %c = %v : tensor<2x1x32xbf16>, %d = %pk : tensor<2x?x32xbf16>, %e = %pv : tensor<2x?x32xbf16>) -> tensor<2x1x64xbf16> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true>} : (tensor<2x1x64xbf16>, tensor<2x1x32xbf16>, tensor<2x1x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>) -> tensor<2x1x64xbf16>
    block.yield %s : tensor<2x1x64xbf16>
  }
  return %0 : tensor<2x1x64xbf16>
}
