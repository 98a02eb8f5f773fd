// What is not of level 1's three ops stays as it is, and so do the layers with
// their stamps, logs and attributes of other dialects.
// RUN: block-opt %s --block-expand | FileCheck %s
// RUN: block-opt %s --pass-pipeline='builtin.module(block-expand)' | FileCheck %s
// RUN: block-opt %s --pass-pipeline='builtin.module(func.func(block-expand))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[X:.*]] = block.embedding %arg0 in %arg1
// CHECK: block.layer "h.3" at 3
// CHECK-NEXT: approx = #block.approx<pass = "block-parallelize", parameters = "blocks=3", measured = "unmeasured">
// CHECK-NEXT: log = [#block.decision<pass = "block-parallelize", outcome = passed>
// CHECK: block.normalize %[[X]] {{.*}}my.path = "h.3.ln"
// CHECK: block.scale
// CHECK: block.residual
// CHECK: block.head
func.func @main(%ids: tensor<2x5xi64> {block.input = "input_ids"}, %table: tensor<16x8xf32> {block.param = "wte.weight"}) -> tensor<2x5x16xf32> {
  %x = block.embedding %ids in %table : (tensor<2x5xi64>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  %y = block.layer "h.3" at 3 -> tensor<2x5x8xf32>
      attributes {approx = #block.approx<pass = "block-parallelize", parameters = "blocks=3", measured = "unmeasured">,
                  log = [#block.decision<pass = "block-parallelize", outcome = passed>]} {
    %n = block.norm %x {form = #block.norm<kind = rms, eps = 0.0>, my.path = "h.3.ln"} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %s = block.scale %n {factor = 0.5} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %r = block.residual %x, %s : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %r : tensor<2x5x8xf32>
  }
  %l = block.head %y, %table : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<2x5x16xf32>
  return %l : tensor<2x5x16xf32>
}
