// Shaw's tables make a loop of every element: unrolled by four, not by the assembler, and no spills.
// DAYS: 3, day 2
// RUN: block-opt %s --block-to-gpu=chip=sm_80 | block-translate --block-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --check-prefix=LOOPS --input-file=%t.80.ptx
// RUN: %python %root/test/support/ptx_checks.py %t.80.ptx --chip=sm_80 --dynamic-shared=160000 --require 'sdpa_0:HMMA>=16' | FileCheck %s
// RUN: block-opt %s --block-to-gpu=chip=sm_90a | block-translate --block-to-ptx --chip=sm_90a -o %t.90.ptx
// RUN: %python %root/test/support/ptx_checks.py %t.90.ptx --chip=sm_90a --dynamic-shared=230000 --require 'sdpa_1:HGMMA>=8' | FileCheck %s
// LOOPS-COUNT-32: .pragma "nounroll";
// CHECK-DAG: sdpa_0: registers
// CHECK-DAG: sdpa_1: registers
func.func @values(%q: tensor<1x300x128xbf16> {block.input = "q"}, %t: tensor<5x64xbf16> {block.input = "t"}) -> (tensor<1x300x128xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x300x128xbf16>, %d = %t : tensor<5x64xbf16>) -> tensor<1x300x128xbf16> {
    %s = block.sdpa %a, %a, %a shaw_value %d {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.125, causal = true>}
        : (tensor<1x300x128xbf16>, tensor<1x300x128xbf16>, tensor<1x300x128xbf16>, tensor<5x64xbf16>) -> tensor<1x300x128xbf16>
    block.yield %s : tensor<1x300x128xbf16>
  }
  return %0 : tensor<1x300x128xbf16>
}

func.func @keys(%q: tensor<1x300x256xbf16> {block.input = "q"}, %t: tensor<5x128xbf16> {block.input = "t"}) -> (tensor<1x300x256xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x300x256xbf16>, %d = %t : tensor<5x128xbf16>) -> tensor<1x300x256xbf16> {
    %s = block.sdpa %a, %a, %a shaw_key %d {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.0883883, causal = true>}
        : (tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<1x300x256xbf16>, tensor<5x128xbf16>) -> tensor<1x300x256xbf16>
    block.yield %s : tensor<1x300x256xbf16>
  }
  return %0 : tensor<1x300x256xbf16>
}
