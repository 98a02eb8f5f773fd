//===- NormGradSite.h - structure of a norm's gradient ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H
#define PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H

#include "mlir/IR/PatternMatch.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// A projection of the norm, and its contribution to the norm's gradient.
struct NormGradTerm {
  /// The gradient by the projection, and the weight `[in, out]` that maps it to
  /// the norm.
  mlir::Value gradient, weight;
  LinearOp forward;
  /// The rotation of the projection that is read instead of it, and the inverse
  /// rotation of its gradient; null if the projection itself is read.
  RopeOp rotation, inverse;
};

/// The gradient by a weight, or by weights side by side, of the norm.
struct NormWeightGrad {
  WeightGradOp product;
  /// The weight is stored `[in, out]`.
  bool isTransposed;

  mlir::OperandRange getGradients() {
    return isTransposed ? product.getInputs() : product.getGradients();
  }
};

/// The norm, all that reads it and all that reads its gradient.
struct NormGradSite {
  /// The norm, computed and recomputed, with and without gain and
  /// bias.
  llvm::SmallVector<NormalizeOp> norms, bare;
  llvm::SmallVector<LinearOp> projections;
  llvm::SmallVector<NormGradTerm> terms;
  llvm::SmallVector<NormWeightGrad> byWeights;
  llvm::SmallVector<ColumnSumsOp> byGain, byBias;

  NormalizeOp getNorm() const { return norms.front(); }

  /// Returns the gradient by weights that `term` contributes to; null if there
  /// is none.
  NormWeightGrad *findByWeight(const NormGradTerm &term) {
    for (NormWeightGrad &own : byWeights)
      if (llvm::is_contained(own.getGradients(), term.gradient))
        return &own;
    return nullptr;
  }
};

/// Returns the value that a layer yields for `value`, or `value` itself.
mlir::Value lookInside(mlir::Value value);

/// Returns the readers of `value` and of the layer's result for it.
llvm::SmallVector<mlir::Operation *> collectReaders(mlir::Value value);

/// Finds the norm and projections for `grad`; fails with a refusal of `pass`
/// unless `grad` is a gradient of a norm that projections read.
mlir::FailureOr<NormGradSite> findNormGradSite(NormGradOp grad,
                                               llvm::StringRef pass,
                                               mlir::RewriterBase &rewriter);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H
