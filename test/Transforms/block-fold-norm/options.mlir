// assume-max-mean-over-std says how far rows are from centred: unknown by default, up to 3
// is safe.
// RUN: block-opt %s --block-fold-norm | FileCheck %s --check-prefix=KEPT
// RUN: block-opt %s --block-fold-norm="assume-max-mean-over-std=3.5" | FileCheck %s --check-prefix=KEPT
// RUN: block-opt %s --block-fold-norm="assume-max-mean-over-std=2.5" | FileCheck %s --check-prefix=FOLDED
// Through the pipeline, too.
// RUN: block-opt %s --block-optimize | FileCheck %s --check-prefix=KEPT
// RUN: block-opt %s --block-optimize="assume-max-mean-over-std=2.5" | FileCheck %s --check-prefix=FOLDED

// KEPT-LABEL: func.func @narrow(
// KEPT: block.normalize
// KEPT-NOT: block.deferred_norm
// The stream is rounded to what the projection reads.
// FOLDED-LABEL: func.func @narrow(
// FOLDED-NOT: block.normalize
// FOLDED: arith.truncf
// FOLDED: block.deferred_norm
func.func @narrow(%x: tensor<2x5x8xf32>, %w: tensor<8x8xbf16> {block.param = "w"}) -> tensor<2x5x8xbf16> {
  %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xbf16>
  %a = block.linear %n, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xbf16>
  return %a : tensor<2x5x8xbf16>
}

// KEPT-LABEL: func.func @tiny_eps(
// KEPT: block.normalize
// KEPT-NOT: block.deferred_norm
// FOLDED-LABEL: func.func @tiny_eps(
// FOLDED-NOT: block.normalize
// FOLDED: block.deferred_norm
func.func @tiny_eps(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<2x5x8xf32> {
  %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-12>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}
