//===- RewriteHelpers.h - helpers of rewrites -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_REWRITEHELPERS_H
#define PARABLOCK_TRANSFORMS_REWRITEHELPERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Returns the type of `value` with another element type.
mlir::RankedTensorType withElementType(mlir::Value value, mlir::Type element);

/// Returns the type of `value` with another last dimension and element type.
mlir::RankedTensorType withWidth(mlir::Value value, int64_t width,
                                 mlir::Type element);

/// Returns `value` unchanged, or narrowed or widened to `element` by an
/// elementwise cast.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type element);

/// Returns true if `value` depends on parameters and constants alone, through
/// ops on weights: it can be computed once, when weights are loaded.
bool isWeightOnly(mlir::Value value);

/// Returns true if a seed determines which elements `op` drops.
bool dropsElements(mlir::Operation *op);

/// Returns the norm of the same factor without a mean.
NormAttr withoutMean(NormAttr form);

/// Replaces `layer` by a layer that also yields `added`, values of its
/// body.
LayerOp growLayer(mlir::RewriterBase &rewriter, LayerOp layer,
                  mlir::ValueRange added);

/// Drops the unread results of `layer`, and ops that only they require.
void dropUnreadResults(mlir::RewriterBase &rewriter, LayerOp layer);

/// Calls `body` for the ops of type `OpT` in `root` outside kernels, which are
/// final.
template <typename OpT, typename Body>
void walkOutsideKernels(mlir::Operation *root, Body body) {
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<KernelOp>(op))
      return mlir::WalkResult::skip();
    if (auto match = llvm::dyn_cast<OpT>(op))
      body(match);
    return mlir::WalkResult::advance();
  });
}

/// Orders the ops of `block` so that every definition comes before its uses. An
/// op behind its readers goes right before the first of them; all others, such
/// as layers, keep their order.
void restoreDominance(mlir::Block &block);

/// Exchanges rows and columns of stacked matrices.
mlir::Value transposeStack(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value stack);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_REWRITEHELPERS_H
