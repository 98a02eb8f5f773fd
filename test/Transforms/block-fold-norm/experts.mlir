// A norm that experts read folds into projections that merge with the attention's, and stays for the experts.
// RUN: block-opt %s --split-input-file --block-fold-norm -o %t --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// RUN: block-opt %t --split-input-file --block-fold-norm -o %t.twice
// RUN: cmp %t %t.twice

// Two norms of one row: the attention's folds whole, and the router's in part.
// CHECK-LABEL: func.func @router
// CHECK: %[[ROWS:.*]] = block.normalize %arg0 {{.*}} gamma %arg2
// CHECK: %[[ROUTER:.*]] = block.fold_gain %arg4, %arg2
// CHECK: %[[SCORES:.*]] = block.linear %arg0, %[[ROUTER]]
// CHECK: %[[LOGITS:.*]] = block.deferred_norm %[[SCORES]]
// CHECK: block.route %[[LOGITS]]
// CHECK: block.experts %[[ROWS]]
// REMARK: [Passed] block.normalize | Category:block-fold-norm | Function=router | Remark="folded into the projections that read it", projections=1
// REMARK: [Passed] block.normalize | Category:block-fold-norm | Function=router | Remark="folded into the projections that read it", projections=1
// REMARK: [Missed] block.normalize | Category:block-fold-norm | Function=router | Reason="user-is-not-a-linear: experts read the normalised rows too"
func.func @router(%x: tensor<1x5x8xf32>, %g1: tensor<8xf32>, %g2: tensor<8xf32>, %q: tensor<8x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %s = block.norm_stats %x : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
  %n1 = block.normalize %x moment %s gamma %g1 {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %a = block.linear %n1, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %n2 = block.normalize %x moment %s gamma %g2 {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %l = block.linear %n2, %r : (tensor<1x5x8xf32>, tensor<4x8xf32>) -> tensor<1x5x4xf32>
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x4xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %n2 of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %a, %y : tensor<1x5x8xf32>, tensor<1x5x8xf32>
}

// -----

// One norm of all: of queries, router and experts.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-4: block.deferred_norm
// CHECK: block.experts %{{.*}} of
// REMARK: Function=shared | Remark="folded into the projections that read it", projections=4
func.func @shared(%x: tensor<1x5x8xf32>, %g: tensor<8xf32>, %q: tensor<8x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %s = block.norm_stats %x : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
  %n = block.normalize %x moment %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %a = block.linear %n, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %b = block.linear %n, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %c = block.linear %n, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %o = block.sdpa %a, %b, %c {heads = 1, kv_heads = 1, scores = #block.scores<scale = 1.0>} : tensor<1x5x8xf32>
  %l = block.linear %n, %r : (tensor<1x5x8xf32>, tensor<4x8xf32>) -> tensor<1x5x4xf32>
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x4xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %n of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %o, %y : tensor<1x5x8xf32>, tensor<1x5x8xf32>
}

// -----

// Nothing merges with this router: a weight of another type, and no other projection of the row.
// CHECK-LABEL: func.func @apart
// CHECK: block.linear %{{.*}}, %arg4 :
// REMARK: [Missed] block.normalize | Category:block-fold-norm | Function=apart | Reason="user-is-not-a-linear: read by block.experts"
func.func @apart(%x: tensor<1x5x8xf32>, %g1: tensor<8xf32>, %g2: tensor<8xf32>, %q: tensor<8x8xbf16>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %s = block.norm_stats %x : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
  %n1 = block.normalize %x moment %s gamma %g1 {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xbf16>
  %a = block.linear %n1, %q : (tensor<1x5x8xbf16>, tensor<8x8xbf16>) -> tensor<1x5x8xf32>
  %n2 = block.normalize %x moment %s gamma %g2 {form = #block.norm<kind = rms, eps = 1.0e-6>} : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %l = block.linear %n2, %r : (tensor<1x5x8xf32>, tensor<4x8xf32>) -> tensor<1x5x4xf32>
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x4xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %n2 of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %a, %y : tensor<1x5x8xf32>, tensor<1x5x8xf32>
}
