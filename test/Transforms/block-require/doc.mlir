// A layer that has what is required, for the documentation of the pass.
// RUN: block-opt %s --block-require="fusions=block-fold-norm,block-form-kernels" | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: block.layer "h.0" at 0
func.func @main(%x: tensor<1x5x8xf32> {block.input = "hidden_states"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes {log = [
      #block.decision<pass = "block-fold-norm", outcome = missed, reason = "post-norm", location = "model.py:7:3">,
      #block.decision<pass = "block-fold-norm", outcome = passed, location = "model.py:9:3">,
      #block.decision<pass = "block-form-kernels", outcome = passed>]} {
    block.yield %x : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
