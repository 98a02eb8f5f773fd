// A layer's log says what it was before any rewrite, once.
// RUN: block-opt %s --block-expand --block-expand | FileCheck %s

// CHECK: block.layer "h.0" at 0
// CHECK-NEXT: log = [#block.decision<pass = "block-expand", outcome = passed, location = "{{.*}}log.mlir:[[@LINE+5]]:8",
// CHECK-NEXT: metrics = {attention = 0.0, bytes = 640.0, launches = 1.0, mlp = 0.0, norm = 1.0}>]
// A layer that is expanded already logs nothing.
// CHECK: block.layer "h.1" at 1 -> tensor<2x5x8xf32> {
func.func @main(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %n = block.norm %x {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %n : tensor<2x5x8xf32>
  }
  %z = block.layer "h.1" at 1 -> tensor<2x5x8xf32> {
    %a = block.activation %y {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
    block.yield %a : tensor<2x5x8xf32>
  }
  return %z : tensor<2x5x8xf32>
}
