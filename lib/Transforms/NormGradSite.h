//===- NormGradSite.h - a norm's gradient and what it is of -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H
#define PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H

#include "mlir/IR/PatternMatch.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// A projection of the norm, and what the gradient by the norm has of it.
struct NormGradTerm {
  /// The gradient by the projection, and the weight `[in, out]` that takes it
  /// to the norm.
  mlir::Value gradient, weight;
  LinearOp forward;
  /// The rotation of the projection that is read in its place, and of what the
  /// gradient is the inverse one; null where the projection itself is read.
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
  /// The norm where it is computed and computed again, and as it is before
  /// gain and bias.
  llvm::SmallVector<NormalizeOp> norms, bare;
  llvm::SmallVector<LinearOp> projections;
  llvm::SmallVector<NormGradTerm> terms;
  llvm::SmallVector<NormWeightGrad> byWeights;
  llvm::SmallVector<ColumnSumsOp> byGain, byBias;

  NormalizeOp getNorm() const { return norms.front(); }

  /// The gradient by weights that `term` has a part in; null where there is
  /// none.
  NormWeightGrad *findByWeight(const NormGradTerm &term) {
    for (NormWeightGrad &own : byWeights)
      if (llvm::is_contained(own.getGradients(), term.gradient))
        return &own;
    return nullptr;
  }
};

/// Gives what layers yield for `value`, or `value` itself.
mlir::Value lookInside(mlir::Value value);

/// Gives the readers of `value` and of what its layer yields of it.
llvm::SmallVector<mlir::Operation *> collectReaders(mlir::Value value);

/// Finds what `grad` is the gradient of; fails with a refusal of `pass` where
/// it has another form than that of a norm that projections read.
mlir::FailureOr<NormGradSite> findNormGradSite(NormGradOp grad,
                                               llvm::StringRef pass,
                                               mlir::RewriterBase &rewriter);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMGRADSITE_H
