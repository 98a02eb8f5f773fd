// Attention with keys of the past, few queries and many: heads that share keys in
// one tile, and tiles that a window leaves out.
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: sed 's/2x70x/2x1x/g' %s > %t.one.mlir
// RUN: block-run %t.one.mlir --engine=emulate --chip=sm_90a --seed=7 --threads=1 --baseline=%t.one.mlir | FileCheck %s
// RUN: sed 's/2x70x/2x5x/g; s/bf16/f32/g' %s > %t.f32.mlir
// RUN: block-run %t.f32.mlir --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%t.f32.mlir | FileCheck %s
// CHECK: PASS o
func.func @main(%q: tensor<2x70x64xbf16> {block.input = "q"}, %k: tensor<2x70x32xbf16> {block.input = "k"}, %v: tensor<2x70x32xbf16> {block.input = "v"}, %pk: tensor<2x40x32xbf16> {block.input = "pk"}, %pv: tensor<2x40x32xbf16> {block.input = "pv"}) -> (tensor<2x70x64xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x70x64xbf16>, %b = %k : tensor<2x70x32xbf16>, %c = %v : tensor<2x70x32xbf16>, %d = %pk : tensor<2x40x32xbf16>, %e = %pv : tensor<2x40x32xbf16>) -> tensor<2x70x64xbf16> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, window = 30>} : (tensor<2x70x64xbf16>, tensor<2x70x32xbf16>, tensor<2x70x32xbf16>, tensor<2x40x32xbf16>, tensor<2x40x32xbf16>) -> tensor<2x70x64xbf16>
    block.yield %s : tensor<2x70x64xbf16>
  }
  return %0 : tensor<2x70x64xbf16>
}
