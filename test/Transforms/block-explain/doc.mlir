// What passes left in the log of a layer, for the documentation of the pass.
// RUN: block-opt %s --block-explain 2>&1 >%t | FileCheck %s --strict-whitespace --match-full-lines
// RUN: block-opt %s -o %t.plain
// RUN: cmp %t %t.plain

// CHECK:layer 0 "h.0": exact, launches 8 -> 1, activation bytes 9000 -> 320
// CHECK-NEXT:  missed block-fold-norm: post-norm (model.py:7:3)
// CHECK-NEXT:  passed block-form-kernels launches=1 (model.py:1:1)
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes {log = [
      #block.decision<pass = "block-expand", outcome = passed, metrics = {attention = 1.0 : f64, bytes = 9000.0 : f64, launches = 8.0 : f64, mlp = 1.0 : f64, norm = 2.0 : f64}>,
      #block.decision<pass = "block-fold-norm", outcome = missed, reason = "post-norm", location = "model.py:7:3">,
      #block.decision<pass = "block-form-kernels", outcome = passed, location = "model.py:1:1", metrics = {launches = 1.0 : f64}>]} {
    %k = block.kernel "linear" (%a = %x : tensor<1x5x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x5x8xf32> {
      %p = block.linear %a, %b : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
      block.yield %p : tensor<1x5x8xf32>
    }
    block.yield %k : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
