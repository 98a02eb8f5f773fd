// A token, or a few, after a long past: CTAs share the keys of a tile, and the last
// one joins what they found. Some have no keys at all.
// DAYS: 3, day 3
// RUN: block-opt --unbroken-lines %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @sdpa_0({{.*}}, %[[PARTS:.*]]: memref<2048x18xf32>, %[[COUNTERS:.*]]: memref<4xi32>) attributes {{.*}}multiply = mma, copies = async, warps = 1, {{.*}} grid = 128, {{.*}}workspaces = 2
// TILE: tile.join %[[COUNTERS]][%{{.*}}] of %
// RUN: block-run %s --engine=emulate --chip=sm_90a --dims=past=431 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_80 --dims=past=3 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: sed 's/2x1x/2x5x/g; s/causal = true/causal = true, window = 300, softcap = 3.0/' %s > %t.few.mlir
// RUN: block-run %t.few.mlir --engine=emulate --chip=sm_80 --dims=past=530 --seed=7 --threads=1 --baseline=%t.few.mlir | FileCheck %s
// RUN: sed 's/bf16/f32/g' %s > %t.f32.mlir
// RUN: block-run %t.f32.mlir --engine=emulate --chip=sm_80 --dims=past=200 --seed=7 --threads=1 --baseline=%t.f32.mlir | FileCheck %s
// CHECK: PASS o

// Where the batch is not known, how many parts there are is decided when it runs:
// some, or none, whose results are written directly.
// RUN: sed 's/<2x/<?x/g; s/\["past"\]/["batch", "past"]/g; s/\(block.input = "[qkv]"\)/\1, block.dims = ["batch"]/g' %s > %t.batch.mlir
// RUN: block-opt --unbroken-lines %t.batch.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=BATCH
// BATCH: tile.kernel @sdpa_0({{.*}}, %[[PARTS:.*]]: memref<8448x18xf32>, %[[COUNTERS:.*]]: memref<528xi32>) attributes {{.*}} grid = 528, {{.*}}workspaces = 2
// BATCH: scf.if
// BATCH: tile.join %[[COUNTERS]][%{{.*}}] of %
// RUN: block-run %t.batch.mlir --engine=emulate --chip=sm_90a --dims=batch=3,past=431 --seed=7 --threads=1 --baseline=%t.batch.mlir | FileCheck %s
// RUN: block-run %t.batch.mlir --engine=emulate --chip=sm_80 --dims=batch=2,past=30 --seed=7 --threads=1 --baseline=%t.batch.mlir | FileCheck %s

// The mean of shaped attention is shared, too.
// RUN: sed 's/[%]pv: /%g: tensor<4xbf16> {block.param = "g"}, &/; s/%e = [%]pv/%h = %g : tensor<4xbf16>, &/; s/past_key %d/gamma %h &/; s/: (tensor<2x1x64xbf16>, tensor<2x1x32xbf16>, tensor<2x1x32xbf16>,/& tensor<4xbf16>,/; s/causal = true/&, window = 200/' %s > %t.mean.mlir
// RUN: block-opt --unbroken-lines %t.mean.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=MEAN
// MEAN: tile.kernel @sdpa_0({{.*}}: memref<2048x34xf32>
// RUN: block-run %t.mean.mlir --engine=emulate --chip=sm_90a --dims=past=431 --seed=7 --threads=1 --baseline=%t.mean.mlir | FileCheck %s
func.func @main(%q: tensor<2x1x64xbf16> {block.input = "q"}, %k: tensor<2x1x32xbf16> {block.input = "k"}, %v: tensor<2x1x32xbf16> {block.input = "v"}, %pk: tensor<2x?x32xbf16> {block.input = "pk", block.dims = ["past"]}, %pv: tensor<2x?x32xbf16> {block.input = "pv", block.dims = ["past"]}) -> (tensor<2x1x64xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x1x64xbf16>, %b = %k : tensor<2x1x32xbf16>, %c = %v : tensor<2x1x32xbf16>, %d = %pk : tensor<2x?x32xbf16>, %e = %pv : tensor<2x?x32xbf16>) -> tensor<2x1x64xbf16> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true>} : (tensor<2x1x64xbf16>, tensor<2x1x32xbf16>, tensor<2x1x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>) -> tensor<2x1x64xbf16>
    block.yield %s : tensor<2x1x64xbf16>
  }
  return %0 : tensor<2x1x64xbf16>
}
