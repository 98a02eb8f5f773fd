//===- RewriteHelpers.h - what several rewrites need ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_REWRITEHELPERS_H
#define PARABLOCK_TRANSFORMS_REWRITEHELPERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// The type of `value` with another element type.
mlir::RankedTensorType withElementType(mlir::Value value, mlir::Type element);

/// The type of `value` with another last dimension and element type.
mlir::RankedTensorType withWidth(mlir::Value value, int64_t width,
                                 mlir::Type element);

/// `value` as it is, or narrowed or widened to `element` by an elementwise
/// cast.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type element);

/// True where `value` is made from parameters and constants alone, by ops that
/// touch weights only: it can be computed once, when weights are loaded.
bool isWeightOnly(mlir::Value value);

/// True where a seed says which elements `op` drops.
bool dropsElements(mlir::Operation *op);

/// The norm of the same factor that has no mean.
NormAttr withoutMean(NormAttr form);

/// Puts a layer that yields `added`, of its body, as further results in the
/// place of `layer`.
LayerOp growLayer(mlir::RewriterBase &rewriter, LayerOp layer,
                  mlir::ValueRange added);

/// Drops the unread results of `layer`, and the ops that they alone require.
void dropUnreadResults(mlir::RewriterBase &rewriter, LayerOp layer);

/// Calls `body` for the ops of type `OpT` in `root` that are not part of a
/// kernel yet: kernels are finished, and what was decided about them stays as
/// it is.
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

/// Orders the ops of `block` so that every definition comes before its uses,
/// moving as little as possible.
void restoreDominance(mlir::Block &block);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_REWRITEHELPERS_H
