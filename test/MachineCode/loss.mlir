// Kernels of losses and their gradients spill nothing and multiply on tensor cores, on either chip, plain and with
// everything that a loss may have.
// DAYS: 7, day 4
// DEFINE: %{check} = %python %root/test/support/ptx_checks.py %t.ptx
// DEFINE: %{new} = --chip=sm_90a --dynamic-shared=232448 --require 'cross_entropy_0_tiles:HGMMA>=1' --require 'cross_entropy_grad_0_chunk:HGMMA>=1' --require 'cross_entropy_grad_0_input:HGMMA>=1' --require 'cross_entropy_grad_0_weight:HGMMA>=1'
// DEFINE: %{old} = --chip=sm_80 --dynamic-shared=166912 --require 'cross_entropy_0_tiles:HMMA>=1' --require 'cross_entropy_grad_0_chunk:HMMA>=1' --require 'cross_entropy_grad_0_input:HMMA>=1' --require 'cross_entropy_grad_0_weight:HMMA>=1'
// RUN: block-translate --block-to-ptx --chip=sm_90a %s -o %t.ptx && %{check} %{new}
// RUN: block-translate --block-to-ptx --chip=sm_80 %s -o %t.ptx && %{check} %{old}
// RUN: sed "s/targets %i/targets %i bias %b/; s/tensor<1x4096xi64>)/tensor<1x4096xi64>, tensor<50304xbf16>)/; s/ignored = 7/ignored = 7, scale = 0.5, softcap = 30.0/; s/bf16/f16/g" %s > %t.mlir
// RUN: block-translate --block-to-ptx --chip=sm_90a %t.mlir -o %t.ptx && %{check} %{new}
// A requirement that no kernel meets is seen.
// RUN: not %{check} --chip=sm_90a --require 'cross_entropy_grad_0_start:HGMMA>=1'
func.func @main(%g: tensor<f32> {block.input = "g"}, %x: tensor<1x4096x768xbf16> {block.input = "x"}, %i: tensor<1x4096xi64> {block.input = "t"}, %w: tensor<50304x768xbf16> {block.param = "w"}, %b: tensor<50304xbf16> {block.param = "b"}) -> (tensor<f32> {block.output = "y"}, tensor<1x4096x768xbf16> {block.output = "dx"}, tensor<50304x768xf32> {block.output = "dw"}) {
  %l = block.cross_entropy %x, %w targets %i {ignored = 7} : (tensor<1x4096x768xbf16>, tensor<50304x768xbf16>, tensor<1x4096xi64>) -> tensor<f32>
  %r:2 = block.cross_entropy_grad %g of %x, %w targets %i {wrt = ["input", "weight"], ignored = 7} : (tensor<f32>, tensor<1x4096x768xbf16>, tensor<50304x768xbf16>, tensor<1x4096xi64>) -> (tensor<1x4096x768xbf16>, tensor<50304x768xf32>)
  return %l, %r#0, %r#1 : tensor<f32>, tensor<1x4096x768xbf16>, tensor<50304x768xf32>
}
