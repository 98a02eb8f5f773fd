// Each reason why a norm stays where it is; nothing is rewritten.
// RUN: block-opt %s --block-fold-norm -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not grep -q deferred_norm %t
// A reason stands in the log of the layer, too.
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t
// LOG: block.layer "h.0" at 0
// LOG-NEXT: log = [#block.decision<pass = "block-fold-norm", outcome = missed, reason = "eps-dominates",
// LOG-NEXT: location = "{{.*}}refuse.mlir:{{[0-9]+}}:10", metrics = {eps = 1.0e-12, smallest_eps = {{[0-9.e-]+}}}>]

// CHECK-NOT: [Passed]

// post-norm
func.func @post_norm(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %s = block.norm_stats %a : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=post_norm | Reason="post-norm: read by block.residual"
  %n = block.normalize %a moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %h = block.residual %x, %n : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// weight-of-codes
func.func @codes(%x: tensor<2x5x8xf32>, %g: tensor<8xf32>, %c: tensor<8x8xi8>, %k: tensor<8x1xf32>) -> tensor<2x5x8xf32> {
  %w = block.unpack_weight %c, %k {form = #block.code_form<int8>} : (tensor<8x8xi8>, tensor<8x1xf32>) -> tensor<8x8xf32>
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=codes | Reason="weight-of-codes: a projection's weight is of codes of few bits"
  %n = block.normalize %x moment %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// user-is-not-a-linear
func.func @also_returned(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=also_returned | Reason="user-is-not-a-linear: read by func.return"
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %a, %n : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

// whole-vector-qk-norm
func.func @whole_vector(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %q = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %s = block.norm_stats %q : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=whole_vector | Reason="whole-vector-qk-norm: read by block.rope"
  %n = block.normalize %q moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %r = block.rope %n {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %t = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=whole_vector | Reason="whole-vector-qk-norm: read by block.sdpa"
  %k = block.normalize %x moment %t {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %a = block.sdpa %r, %k, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

func.func @whole_vector_tables(%x: tensor<2x5x8xf32>, %t: tensor<1x5x2xf32>) -> tensor<2x5x8xf32> {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=whole_vector_tables | Reason="whole-vector-qk-norm: read by block.rotate"
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %r = block.rotate %n, %t, %t {dim = 4 : i64, heads = 2 : i64, style = #block.rope_style<half>} : (tensor<2x5x8xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// narrow-operands-of-wide-stream
func.func @narrow(%x: tensor<2x5x8xf32>, %w: tensor<8x8xbf16>) -> tensor<2x5x8xbf16> {
  %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=narrow | Reason="narrow-operands-of-wide-stream: the rows' mean over standard deviation is unknown or above the safe ratio", assumed_mean_over_std=-1, safe_mean_over_std=3
  %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xbf16>
  %a = block.linear %n, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xbf16>
  return %a : tensor<2x5x8xbf16>
}

// unfolded-gradient, also of a norm that is computed again and where the gradient is in the other half of a step
func.func @step(%x: tensor<2x5x8xf32>, %dn: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %y:2 = block.layer "h.1" at 1 -> tensor<2x5x8xf32>, tensor<2x5x1xf32> {
    %s = block.norm_stats %x : tensor<2x5x8xf32>
    // CHECK: refuse.mlir:[[@LINE+1]]:10: remark: [Missed] block.normalize | Category:block-fold-norm | Function=step | Reason="unfolded-gradient: a gradient reads the norm or its row as they are"
    %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
    %a = block.linear %n, %w : tensor<2x5x8xf32>
    block.yield %a, %s : tensor<2x5x8xf32>, tensor<2x5x1xf32>
  }
  %dx = block.layer "h.1" at 1 backward -> tensor<2x5x8xf32> {
    %d = block.norm_grad %dn of %x moment %y#1 {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
    block.yield %d : tensor<2x5x8xf32>
  }
  return %y#0, %dx : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}

func.func @by_weight(%x: tensor<2x5x8xf32>, %dy: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<8x8xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=by_weight | Reason="unfolded-gradient: a gradient reads the norm or its row as they are"
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
  %a = block.linear %n, %w : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:12: remark: [Missed] block.normalize | Category:block-fold-norm | Function=by_weight | Reason="user-is-not-a-linear: read by block.weight_grad"
  %again = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
  %dw = block.weight_grad(%dy) of(%again) : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  return %a, %dw : tensor<2x5x8xf32>, tensor<8x8xf32>
}

func.func @forward_half(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x1xf32>) {
  %s = block.norm_stats %x : tensor<2x5x8xf32>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.normalize | Category:block-fold-norm | Function=forward_half | Reason="unfolded-gradient: a gradient reads the norm or its row as they are"
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<2x5x8xf32>
  %a = block.linear %n, %w : tensor<2x5x8xf32>
  return %a, %s : tensor<2x5x8xf32>, tensor<2x5x1xf32>
}

// eps-dominates
func.func @tiny_eps(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
    // CHECK: refuse.mlir:[[@LINE+1]]:10: remark: [Missed] block.normalize | Category:block-fold-norm | Function=tiny_eps | Reason="eps-dominates: a nearly constant row would be scaled by up to 1 / sqrt(eps)", eps=1.000000e-12, smallest_eps=1.000000e-06
    %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-12>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    block.yield %a : tensor<2x5x8xf32>
  }
  return %y : tensor<2x5x8xf32>
}
// CHECK-NOT: [Passed]
