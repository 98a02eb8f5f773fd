// Attention over caches of which each batch row holds another number of keys, behind padding: few queries,
// whose keys CTAs share, and many. Rings have been written over, some in the middle of what is seen.
// DAYS: 3, day 2
// RUN: %python %root/test/Generation/given.py %t.n.safetensors 0,93,301 0,95,7
// RUN: sed 's/window = 100/window = 270/' %s > %t.one.mlir
// RUN: block-run %t.one.mlir --engine=emulate --chip=sm_90a --dims=past=280 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%t.one.mlir | FileCheck %s
// RUN: sed 's/3x1x/3x40x/g; s/causal = true/&, alibi_max = 8.0, alibi_type = bf16/' %s > %t.many.mlir
// RUN: block-run %t.many.mlir --engine=emulate --chip=sm_90a --dims=past=141 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%t.many.mlir | FileCheck %s
// RUN: block-run %t.many.mlir --engine=emulate --chip=sm_80 --dims=past=139 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%t.many.mlir | FileCheck %s
// RUN: sed 's/3x1x/3x5x/g; s/bf16/f32/g; s/causal = true/&, softcap = 3.0/' %s > %t.f32.mlir
// RUN: block-run %t.f32.mlir --engine=emulate --chip=sm_80 --dims=past=128 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%t.f32.mlir | FileCheck %s

// Without a window all keys are there, and padding may still have been written over.
// RUN: sed 's/, window = 100//; s/3x1x/3x7x/g' %s > %t.all.mlir
// RUN: %python %root/test/Generation/given.py %t.p.safetensors 0,93,120 0,95,9
// RUN: block-run %t.all.mlir --engine=emulate --chip=sm_80 --dims=past=118 --inputs=%t.p.safetensors --seed=7 --threads=1 --baseline=%t.all.mlir | FileCheck %s

// The terms of shaped attention: a token's own value is a row of the cache.
// RUN: sed 's/[%]v: /%g: tensor<4xbf16> {block.param = "g"}, &/; s/%d = [%]n/%h = %g : tensor<4xbf16>, &/; s/past_lengths %d/alpha %h gamma %h &/; s/, tensor<3xi64>, tensor<3xi64>) ->/, tensor<4xbf16>, tensor<4xbf16>, tensor<3xi64>, tensor<3xi64>) ->/' %s > %t.mean.mlir
// RUN: block-run %t.mean.mlir --engine=emulate --chip=sm_80 --dims=past=128 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%t.mean.mlir | FileCheck %s
// CHECK: PASS o

// How many CTAs share the keys of a tile follows from what the longest batch row holds, not from the capacity.
// RUN: block-opt --unbroken-lines %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @sdpa_0({{.*}}, %[[LENGTHS:.*]]: memref<3xi64>, %{{.*}}: memref<3xi64>, %{{.*}}: memref<3x1x64xbf16>, %[[PARTS:.*]]: memref<
// TILE: scf.for {{.*}} iter_args
// TILE: tile.load %[[LENGTHS]][
// TILE: arith.maxsi
// TILE: tile.tiles
// TILE: tile.join
func.func @main(%q: tensor<3x1x64xbf16> {block.input = "hidden_states"}, %k: tensor<3x?x32xbf16> {block.input = "k", block.dims = ["past"]}, %v: tensor<3x?x32xbf16> {block.input = "v", block.dims = ["past"]}, %n: tensor<3xi64> {block.input = "past_lengths"}, %s: tensor<3xi64> {block.input = "starts"}) -> (tensor<3x1x64xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<3x1x64xbf16>, %b = %k : tensor<3x?x32xbf16>, %c = %v : tensor<3x?x32xbf16>, %d = %n : tensor<3xi64>, %e = %s : tensor<3xi64>) -> tensor<3x1x64xbf16> {
    %r = block.sdpa %a, %b, %c past_lengths %d starts %e {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, window = 100>} : (tensor<3x1x64xbf16>, tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x1x64xbf16>
    block.yield %r : tensor<3x1x64xbf16>
  }
  return %0 : tensor<3x1x64xbf16>
}
