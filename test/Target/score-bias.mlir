// Attention with a bias for every score, of one sequence and of packed ones: no spills.
// DAYS: 3, day 3
// RUN: block-opt %s --block-to-gpu=chip=sm_90a | block-translate --block-to-ptx --chip=sm_90a -o %t.ptx
// RUN: %python %root/test/support/ptx_checks.py %t.ptx --chip=sm_90a --dynamic-shared=230000 --require 'sdpa_0:HGMMA>=16' --require 'sdpa_1:HGMMA>=8' | FileCheck %s
// CHECK-DAG: sdpa_0: registers 168
// CHECK-DAG: sdpa_1: registers 168
func.func @main(%q: tensor<1x300x256xbf16> {block.input = "q"}, %f: tensor<1x2x300x300xbf16> {block.input = "f"}) -> (tensor<1x300x256xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x300x256xbf16>, %d = %f : tensor<1x2x300x300xbf16>) -> tensor<1x300x256xbf16> {
    %s = block.sdpa %a, %a, %a score_bias %d {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.0883883, causal = true>}
        : (tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<1x2x300x300xbf16>) -> tensor<1x300x256xbf16>
    block.yield %s : tensor<1x300x256xbf16>
  }
  return %0 : tensor<1x300x256xbf16>
}

func.func @packed(%q: tensor<1x300x256xbf16> {block.input = "q"}, %f: tensor<1x2x300x300xbf16> {block.input = "f"}, %n: tensor<4xi64> {block.input = "n"}) -> (tensor<1x300x256xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x300x256xbf16>, %d = %f : tensor<1x2x300x300xbf16>, %e = %n : tensor<4xi64>) -> tensor<1x300x256xbf16> {
    %s = block.sdpa %a, %a, %a score_bias %d cu_seqlens %e {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.0883883, causal = true>}
        : (tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<1x2x300x300xbf16>, tensor<4xi64>) -> tensor<1x300x256xbf16>
    block.yield %s : tensor<1x300x256xbf16>
  }
  return %0 : tensor<1x300x256xbf16>
}
