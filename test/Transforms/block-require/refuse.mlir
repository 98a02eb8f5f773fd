// Layers that lack a fusion are errors that say which and, where it is known, why.
// RUN: not block-opt %s --block-require="fusions=block-fold-norm,block-form-kernels" -o %t.none --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s
// RUN: not block-opt %s --block-require="fusions=block-fold-norm,block-no-such" -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not block-opt %s --block-require -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: test ! -e %t.none
// UNKNOWN: error: unknown pass 'block-no-such' in fusions
// NONE: error: expected fusions to name at least one pass, got none
// No layer has nothing.
// RUN: echo "func.func @main() { return }" | not block-opt --block-require="fusions=block-fold-norm" -o %t.none 2>&1 | FileCheck %s --check-prefix=LAYER
// LAYER: error: expected layers, got none; block-raise finds them in ops of other dialects

func.func @main(%x: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  // CHECK: refuse.mlir:[[@LINE+7]]:8: error: layer 'h.0' does not have the required block-fold-norm
  // CHECK: refuse.mlir:[[@LINE+6]]:8: note: missed: post-norm at model.py:7:3
  // CHECK-NOT: error:
  // CHECK: refuse.mlir:[[@LINE+9]]:8: error: layer 'h.1' does not have the required block-fold-norm
  // CHECK: refuse.mlir:[[@LINE+8]]:8: note: its log holds no decision of that pass
  // CHECK: refuse.mlir:[[@LINE+7]]:8: error: layer 'h.1' does not have the required block-form-kernels
  // CHECK-NOT: error:
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> attributes {log = [
      #block.decision<pass = "block-fold-norm", outcome = missed, reason = "post-norm", location = "model.py:7:3">,
      #block.decision<pass = "block-form-kernels", outcome = passed>]} {
    block.yield %x : tensor<1x5x8xf32>
  }
  %z = block.layer "h.1" at 1 -> tensor<1x5x8xf32> {
    block.yield %y : tensor<1x5x8xf32>
  }
  return %z : tensor<1x5x8xf32>
}
