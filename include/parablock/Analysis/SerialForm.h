//===- SerialForm.h - serial layers of two branches -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_SERIALFORM_H
#define PARABLOCK_ANALYSIS_SERIALFORM_H

#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/LayerPair.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <variant>

namespace parablock {

/// A layer `h = first(x, a); y = second(h, m)` whose second branch reads h. In
/// a layer of post-norms, h is the norm of the first sum, and the layer yields
/// that of the second one.
struct SerialForm {
  block::ResidualOp first, second;
  /// The norms of both sums; null without post-norms.
  block::NormOp firstNorm, secondNorm;
  /// Operands of the second branch that read h.
  llvm::SmallVector<mlir::OpOperand *> reads;

  bool hasPostNorms() const { return static_cast<bool>(firstNorm); }
  /// Returns the op that makes h.
  mlir::Operation *getMiddleOp() const {
    return hasPostNorms() ? block::NormOp(firstNorm).getOperation()
                          : block::ResidualOp(first).getOperation();
  }
  mlir::Value getMiddle() const { return getMiddleOp()->getResult(0); }
};

/// The choice of forms with post-norms.
enum class PostNorms { Reject, Accept };

/// Returns the serial form of a layer of level 1, or the reason why it has
/// none.
std::variant<SerialForm, Reason>
matchSerialForm(block::LayerOp layer, PostNorms postNorms = PostNorms::Reject);

/// Returns the ops of the layer that make `branch` of `stream`, without those
/// that only lead to choices of experts.
llvm::DenseSet<mlir::Operation *> findBesideRouters(mlir::Value branch,
                                                    mlir::Value stream);

/// The kinds of branches of level 1.
enum class BranchKind { Attention, Mlp, Other };
BranchKind getBranchKind(mlir::Value branch);

/// Returns the name of the pair that a layer of level 1 contains: `l+` if its
/// MLP precedes an attention, which is that of the next layer; else `l`.
LayerPair getLayerPair(block::LayerOp layer);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_SERIALFORM_H
