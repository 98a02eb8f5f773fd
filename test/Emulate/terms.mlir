// Attention with Shaw's tables, slopes of its own, and the terms of shaped attention.
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --threads=1 --baseline=%s | FileCheck %s
// CHECK: PASS o
func.func @main(%q: tensor<1x20x32xbf16> {block.input = "q"}, %s: tensor<5x16xbf16> {block.param = "s"}, %l: tensor<2xbf16> {block.param = "l"}, %g: tensor<2xbf16> {block.param = "g"}) -> (tensor<1x20x32xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x20x32xbf16>, %c = %s : tensor<5x16xbf16>, %d = %g : tensor<2xbf16>, %e = %l : tensor<2xbf16>) -> tensor<1x20x32xbf16> {
    %o = block.sdpa %a, %a, %a shaw_key %c shaw_value %c alpha %d beta %d gamma %d slopes %e {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, softcap = 3.0, alibi_max = 8.0>} : (tensor<1x20x32xbf16>, tensor<1x20x32xbf16>, tensor<1x20x32xbf16>, tensor<5x16xbf16>, tensor<5x16xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<1x20x32xbf16>
    block.yield %o : tensor<1x20x32xbf16>
  }
  return %0 : tensor<1x20x32xbf16>
}
