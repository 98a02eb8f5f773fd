// Each reason why a gradient by a norm stays where it is; nothing is rewritten.
// RUN: block-opt %s --block-fold-norm-grad -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q deferred_norm %t
// What is known of the rows lifts the last one.
// RUN: block-opt %s --block-fold-norm-grad=assume-max-mean-over-std=2 | FileCheck %s --check-prefix=KNOWN
// KNOWN-LABEL: func.func @wide_stream(
// KNOWN: block.deferred_norm_grad

// CHECK-NOT: [Passed]
#rms = #block.norm<kind = rms, eps = 1.0e-6>

// user-is-not-a-linear: something else has a part in the gradient, as behind a post-norm
func.func @post_norm(%x: tensor<2x5x8xf32>, %dn: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s {form = #rms} : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=post_norm | Reason="user-is-not-a-linear: the gradient by the norm is not of projections alone"
  %dx = block.norm_grad %dn of %x moment %s {form = #rms} : tensor<2x5x8xf32>
  return %n, %dx : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// post-norm: a residual reads the norm beside a projection
func.func @residual(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}, %v: tensor<8x8xf32> {block.param = "v"})
    -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s {form = #rms} : tensor<2x5x8xf32>
  %y = block.linear %n, %w : tensor<2x5x8xf32>
  %h = block.residual %n, %y : tensor<2x5x8xf32>
  %dn = block.linear %dy, %v : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=residual | Reason="post-norm: the norm is read by block.residual"
  %dx = block.norm_grad %dn of %x moment %s {form = #rms} : tensor<2x5x8xf32>
  return %h, %dx : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// no-forward-projection: nothing has the weight of the gradient; no norm has this gradient's row
func.func @other_weight(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}, %v: tensor<8x8xf32> {block.param = "v"})
    -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s {form = #rms} : tensor<2x5x8xf32>
  %y = block.linear %n, %w : tensor<2x5x8xf32>
  %dn = block.linear %dy, %v : tensor<2x5x8xf32>
  %dm = block.linear %dy, %v : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=other_weight | Reason="no-forward-projection: the gradient has a product by a weight that the norm is not projected by"
  %dx = block.norm_grad %dn of %x moment %s {form = #rms} : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=other_weight | Reason="no-forward-projection: no norm of this row is there"
  %dz = block.norm_grad %dm of %dy moment %s {form = #rms} : tensor<2x5x8xf32>
  return %y, %dx, %dz : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// second-user
func.func @read_again(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s {form = #rms} : tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %y = block.linear %n, %w : tensor<2x5x8xf32>
  %dn = block.linear %dy, %t : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=read_again | Reason="second-user: the gradient by the norm is read by func.return"
  %dx = block.norm_grad %dn of %x moment %s {form = #rms} : tensor<2x5x8xf32>
  return %y, %dx, %dn : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// frozen-weight
func.func @frozen(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %g: tensor<8xf32> {block.param = "g"}, %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s gamma %g {form = #rms} : tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %y = block.linear %n, %w : tensor<2x5x8xf32>
  %dn = block.linear %dy, %t : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=frozen | Reason="frozen-weight: a projection has no gradient by its weight, which that by the gain would be made from"
  %dx = block.norm_grad %dn of %x moment %s gamma %g {form = #rms} : tensor<2x5x8xf32>
  %bare = block.normalize %x moment %s {form = #rms} : tensor<2x5x8xf32>
  %dg = block.column_sums %dn times %bare : tensor<2x5x8xf32>
  return %y, %dx, %dg : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8xf32>
}

// weight-of-codes
func.func @codes(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %g: tensor<8xf32> {block.param = "g"}, %c: tensor<8x8xi8> {block.param = "c"},
    %k: tensor<8x1xf32> {block.param = "k"}) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %w = block.unpack_weight %c, %k {form = #block.code_form<int8>} : (tensor<8x8xi8>, tensor<8x1xf32>) -> tensor<8x8xf32>
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %s gamma %g {form = #rms} : tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %y = block.linear %n, %w : tensor<2x5x8xf32>
  %dn = block.linear %dy, %t : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=codes | Reason="weight-of-codes: a projection's weight is of codes of few bits"
  %dx = block.norm_grad %dn of %x moment %s gamma %g {form = #rms} : tensor<2x5x8xf32>
  return %y, %dx : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// narrow-operands-of-wide-stream
func.func @wide_stream(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xbf16>, %w: tensor<8x8xbf16> {block.param = "w"})
    -> (tensor<2x5x8xbf16>, tensor<2x5x8xf32>) {
  %s:2 = block.norm_stats %x centered : tensor<2x5x8xf32>
  %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : tensor<2x5x8xf32> -> tensor<2x5x8xbf16>
  %e = tensor.empty() : tensor<8x8xbf16>
  %t = linalg.transpose ins(%w : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) permutation = [1, 0]
  %y = block.linear %n, %w : tensor<2x5x8xbf16>
  %dn = block.linear %dy, %t : tensor<2x5x8xbf16>
  // CHECK: refuse.mlir:[[@LINE+1]]:9: remark: [Missed] block.norm_grad | Category:block-fold-norm-grad | Function=wide_stream | Reason="narrow-operands-of-wide-stream: {{.*}}", assumed_mean_over_std=-1
  %dx = block.norm_grad %dn of %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>}
      : (tensor<2x5x8xbf16>, tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return %y, %dx : tensor<2x5x8xbf16>, tensor<2x5x8xf32>
}
// CHECK-NOT: [Passed]
