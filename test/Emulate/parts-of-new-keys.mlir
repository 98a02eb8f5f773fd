// New keys that begin in the last part but one, behind past ones: the CTA of that
// part leaves the rest of its last tile to the next.
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// CHECK: PASS o
func.func @main(%q: tensor<1x16x32xf32> {block.input = "q"}, %k: tensor<1x16x32xf32> {block.input = "k"}, %v: tensor<1x16x32xf32> {block.input = "v"}, %pk: tensor<1x190x32xf32> {block.input = "pk"}, %pv: tensor<1x190x32xf32> {block.input = "pv"}) -> (tensor<1x16x32xf32> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x16x32xf32>, %b = %k : tensor<1x16x32xf32>, %c = %v : tensor<1x16x32xf32>, %d = %pk : tensor<1x190x32xf32>, %e = %pv : tensor<1x190x32xf32>) -> tensor<1x16x32xf32> {
    %s = block.sdpa %a, %b, %c past_key %d past_value %e {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.25, causal = true>} : (tensor<1x16x32xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>, tensor<1x190x32xf32>, tensor<1x190x32xf32>) -> tensor<1x16x32xf32>
    block.yield %s : tensor<1x16x32xf32>
  }
  return %0 : tensor<1x16x32xf32>
}
