// Kernels of routers and experts spill nothing and multiply on tensor cores: many rows, one row, open sizes.
// DAYS: 7, day 4
// DEFINE: %{check} = %python %root/test/support/ptx_checks.py %t.ptx
// DEFINE: %{new} = --chip=sm_90a --dynamic-shared=232448 --require 'experts_0_up:HGMMA>=1' --require 'experts_0_down:HGMMA>=1'
// DEFINE: %{old} = --chip=sm_80 --dynamic-shared=166912 --require 'experts_0_up:HMMA>=1' --require 'experts_0_down:HMMA>=1'
// RUN: block-translate --block-to-ptx --chip=sm_90a %s -o %t.ptx && %{check} %{new}
// RUN: block-translate --block-to-ptx --chip=sm_80 %s -o %t.ptx && %{check} %{old}
// RUN: sed "s/1x4096x/1x1x/g" %s > %t.mlir && block-translate --block-to-ptx --chip=sm_90a %t.mlir -o %t.ptx && %{check} %{new}
// RUN: sed "s/1x4096x/?x?x/g; s/silu/silu, layout = interleaved, limit = 7.0/; s/bf16/f16/g" %s > %t.mlir
// RUN: block-translate --block-to-ptx --chip=sm_80 %t.mlir -o %t.ptx && %{check} %{old}
// Both products have a prediction.
// RUN: block-opt %s --block-optimize=chip=sm_90a -o %t.k.mlir
// RUN: block-translate --block-to-cubin --chip=sm_90a %t.k.mlir -o %t.cubin
// RUN: block-opt %t.k.mlir --block-report="chip=sm_90a machine-code=%t.cubin" -o /dev/null 2>&1 | FileCheck %s
// CHECK: experts_0_down: {{[0-9]+}} instructions
// CHECK: prediction: at most {{[0-9.]+( to [0-9.]+)?}} % of the peak of the tensor cores, limit:
// CHECK: experts_0_up: {{[0-9]+}} instructions
// CHECK: prediction: at most {{[0-9.]+( to [0-9.]+)?}} % of the peak of the tensor cores, limit:
// A requirement that no kernel meets is seen.
// RUN: not %{check} --chip=sm_80 --require 'experts_0_up:HGMMA>=1'
func.func @main(%x: tensor<1x4096x2048xbf16> {block.input = "x"}, %l: tensor<1x4096x32xbf16> {block.input = "l"}, %u: tensor<32x1536x2048xbf16> {block.param = "u"}, %d: tensor<32x2048x768xbf16> {block.param = "d"}, %a: tensor<32x1536xbf16> {block.param = "a"}, %b: tensor<32x2048xbf16> {block.param = "b"}) -> (tensor<1x4096x2048xbf16> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 8, score = softmax>} : (tensor<1x4096x32xbf16>) -> (tensor<1x4096x8xi64>, tensor<1x4096x8xf32>)
  %y = block.experts %x of %i by %w up %u down %d up_bias %a down_bias %b {form = #block.experts<activation = silu>} : (tensor<1x4096x2048xbf16>, tensor<1x4096x8xi64>, tensor<1x4096x8xf32>, tensor<32x1536x2048xbf16>, tensor<32x2048x768xbf16>, tensor<32x1536xbf16>, tensor<32x2048xbf16>) -> tensor<1x4096x2048xbf16>
  return %y : tensor<1x4096x2048xbf16>
}
