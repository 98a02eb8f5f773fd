// Statistics of whole rows after a norm of heads, on the CPU and on a GPU.
// RUN: block-run %s --engine=cpu --seed=5 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=5 --baseline=%s | FileCheck %s
// CHECK: PASS out0
func.func @main(%x: tensor<2x3x48xf32> {block.input = "x"}) -> tensor<2x3x48xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<2x3x48xf32>) -> tensor<2x3x48xf32> {
    %s = block.norm_stats %a {groups = 4 : i64} : (tensor<2x3x48xf32>) -> tensor<2x3x4xf32>
    %n = block.normalize %a moment %s {groups = 4 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x3x48xf32>, tensor<2x3x4xf32>) -> tensor<2x3x48xf32>
    %b = block.residual %n, %a : (tensor<2x3x48xf32>, tensor<2x3x48xf32>) -> tensor<2x3x48xf32>
    %mean, %m = block.norm_stats %b centered : (tensor<2x3x48xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %r = block.normalize %b mean %mean moment %m {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x3x48xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x48xf32>
    block.yield %r : tensor<2x3x48xf32>
  }
  return %0 : tensor<2x3x48xf32>
}
