// Kernels of gradients of routers and experts spill nothing and multiply on tensor cores, on either chip.
// DAYS: 7, day 3
// DEFINE: %{check} = %python %root/test/support/ptx_checks.py %t.ptx
// DEFINE: %{new} = --chip=sm_90a --dynamic-shared=232448 --require 'experts_grad_0_hidden:HGMMA>=1' --require 'experts_grad_0_up_weight:HMMA>=1'
// DEFINE: %{old} = --chip=sm_80 --dynamic-shared=166912 --require 'experts_grad_0_hidden:HMMA>=1' --require 'experts_grad_0_up_weight:HMMA>=1'
// RUN: block-translate --block-to-ptx --chip=sm_90a %s -o %t.ptx && %{check} %{new}
// RUN: block-translate --block-to-ptx --chip=sm_80 %s -o %t.ptx && %{check} %{old}
// RUN: sed "s/silu/silu, layout = interleaved, limit = 7.0/; s/bf16/f16/g" %s > %t.mlir
// RUN: block-translate --block-to-ptx --chip=sm_90a %t.mlir -o %t.ptx && %{check} %{new}
// A requirement that no kernel meets is seen.
// RUN: not %{check} --chip=sm_90a --require 'experts_grad_0_up_weight:HGMMA>=1'
func.func @main(%dy: tensor<1x4096x2048xbf16> {block.input = "dy"}, %x: tensor<1x4096x2048xbf16> {block.input = "x"}, %l: tensor<1x4096x32xbf16> {block.input = "l"}, %u: tensor<32x1536x2048xbf16> {block.param = "u"}, %d: tensor<32x2048x768xbf16> {block.param = "d"}) -> (tensor<1x4096x2048xbf16> {block.output = "dx"}, tensor<1x4096x32xbf16> {block.output = "dl"}, tensor<32x1536x2048xf32> {block.output = "du"}, tensor<32x2048x768xf32> {block.output = "dd"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 8, score = softmax>} : (tensor<1x4096x32xbf16>) -> (tensor<1x4096x8xi64>, tensor<1x4096x8xf32>)
  %r:4 = block.experts_grad %dy of %x at %i by %w up %u down %d {form = #block.experts<activation = silu>, wrt = ["input", "weights", "up_weight", "down_weight"]} : (tensor<1x4096x2048xbf16>, tensor<1x4096x2048xbf16>, tensor<1x4096x8xi64>, tensor<1x4096x8xf32>, tensor<32x1536x2048xbf16>, tensor<32x2048x768xbf16>) -> (tensor<1x4096x2048xbf16>, tensor<1x4096x8xf32>, tensor<32x1536x2048xf32>, tensor<32x2048x768xf32>)
  %g = block.route_grad %r#1 of %l at %i {form = #block.routing<chosen = 8, score = softmax>, wrt = ["logits"]} : (tensor<1x4096x8xf32>, tensor<1x4096x32xbf16>, tensor<1x4096x8xi64>) -> tensor<1x4096x32xbf16>
  return %r#0, %g, %r#2, %r#3 : tensor<1x4096x2048xbf16>, tensor<1x4096x32xbf16>, tensor<32x1536x2048xf32>, tensor<32x2048x768xf32>
}
