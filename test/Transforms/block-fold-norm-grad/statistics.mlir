// A file of block-drift --statistics has the rows of layer 0 near their mean and those of layer 1 far from it; layer 2 is not in it.
// RUN: block-opt %s --block-fold-norm-grad=statistics=%S/../block-fold-norm/Inputs/measured.json | FileCheck %s --check-prefixes=CHECK,ALONE
// What is measured goes before what is promised.
// RUN: block-opt %s --block-fold-norm-grad="statistics=%S/../block-fold-norm/Inputs/measured.json assume-max-mean-over-std=2" | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: not block-opt %s --block-fold-norm-grad=statistics=%S/../block-fold-norm/Inputs/none.json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not block-opt %s --block-fold-norm-grad=statistics=%S/../block-fold-norm/Inputs/broken.json 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: echo '{"schema": 1, "norms": {"layer": 0}}' > %t.json
// RUN: not block-opt %s --block-fold-norm-grad=statistics=%t.json 2>&1 | FileCheck %s --check-prefix=LIST

// NONE: error: {{.*}}none.json
// LIST: error: {{.*}}.json: key 'norms': expected a list of norms
// BROKEN: error: {{.*}}broken.json: norms[0]: expected 'layer' and a 'mean_over_std' with a 'max' of at least 0

// CHECK: block.layer "a" at 0
// CHECK-NOT: block.norm_grad
// CHECK: block.deferred_norm_grad
// CHECK: block.layer "b" at 1
// CHECK-NOT: block.deferred_norm_grad
// CHECK: block.norm_grad
// CHECK: block.layer "c" at 2
// ALONE-NOT: block.deferred_norm_grad
// ALONE: block.norm_grad
// BOTH-NOT: block.norm_grad
// BOTH: block.deferred_norm_grad
#layer = #block.norm<kind = layer, eps = 1.0e-5>
func.func @main(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xbf16>, %w: tensor<8x8xbf16> {block.param = "w"})
    -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %0:2 = block.layer "a" at 0 -> tensor<2x5x8xbf16>, tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %x centered : tensor<2x5x8xf32>
    %n = block.normalize %x mean %s#0 moment %s#1 {form = #layer} : tensor<2x5x8xf32> -> tensor<2x5x8xbf16>
    %e = tensor.empty() : tensor<8x8xbf16>
    %t = linalg.transpose ins(%w : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) permutation = [1, 0]
    %y = block.linear %n, %w : tensor<2x5x8xbf16>
    %dn = block.linear %dy, %t : tensor<2x5x8xbf16>
    %dx = block.norm_grad %dn of %x mean %s#0 moment %s#1 {form = #layer}
        : (tensor<2x5x8xbf16>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    block.yield %y, %dx : tensor<2x5x8xbf16>, tensor<2x5x8xf32>
  }
  %1:2 = block.layer "b" at 1 -> tensor<2x5x8xbf16>, tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %x centered : tensor<2x5x8xf32>
    %n = block.normalize %x mean %s#0 moment %s#1 {form = #layer} : tensor<2x5x8xf32> -> tensor<2x5x8xbf16>
    %e = tensor.empty() : tensor<8x8xbf16>
    %t = linalg.transpose ins(%w : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) permutation = [1, 0]
    %y = block.linear %n, %w : tensor<2x5x8xbf16>
    %dn = block.linear %dy, %t : tensor<2x5x8xbf16>
    %dx = block.norm_grad %dn of %x mean %s#0 moment %s#1 {form = #layer}
        : (tensor<2x5x8xbf16>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    block.yield %y, %dx : tensor<2x5x8xbf16>, tensor<2x5x8xf32>
  }
  %2:2 = block.layer "c" at 2 -> tensor<2x5x8xbf16>, tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %x centered : tensor<2x5x8xf32>
    %n = block.normalize %x mean %s#0 moment %s#1 {form = #layer} : tensor<2x5x8xf32> -> tensor<2x5x8xbf16>
    %e = tensor.empty() : tensor<8x8xbf16>
    %t = linalg.transpose ins(%w : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) permutation = [1, 0]
    %y = block.linear %n, %w : tensor<2x5x8xbf16>
    %dn = block.linear %dy, %t : tensor<2x5x8xbf16>
    %dx = block.norm_grad %dn of %x mean %s#0 moment %s#1 {form = #layer}
        : (tensor<2x5x8xbf16>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    block.yield %y, %dx : tensor<2x5x8xbf16>, tensor<2x5x8xf32>
  }
  return %0#1, %1#1, %2#1 : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
