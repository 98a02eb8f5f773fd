//===- NormFolding.h - when norms may stand behind products -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
#define PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H

#include "ExactPattern.h"
#include <functional>

namespace parablock::block {

/// Gives the largest |mean| / standard deviation that rows of a norm are known
/// to have; negative where nothing is known.
using RowCentring = std::function<double(NormalizeOp)>;

/// Fails where rounding `norm`'s rows before their mean is removed is worse
/// than rounding them behind it, and says so at `at`.
llvm::LogicalResult checkFoldedRounding(NormalizeOp norm,
                                        const RowCentring &rows,
                                        mlir::Operation *at,
                                        llvm::StringRef pass,
                                        mlir::RewriterBase &rewriter);

/// A pattern that folds norms of rows that are centred well enough.
template <typename OpT> struct FoldingPattern : public ExactPattern<OpT> {
  FoldingPattern(mlir::MLIRContext *context, RowCentring rows)
      : ExactPattern<OpT>(context), rows(std::move(rows)) {}

protected:
  RowCentring rows;
};

/// Applies what `populate` adds to each op within `root`, as `applyOnce` does.
/// What rows are known to be is in the file `statistics`, where it names one,
/// and `promised` of those that it does not have; fails, with an error, where
/// it cannot be read.
llvm::LogicalResult applyFolding(
    mlir::Operation *root, llvm::StringRef statistics, double promised,
    llvm::function_ref<void(mlir::RewritePatternSet &, RowCentring)> populate,
    llvm::StringRef pass, llvm::StringRef sought, mlir::Pass::Statistic &done,
    mlir::Pass::Statistic &refused);

/// Why a norm that `user`, no projection, reads cannot be folded.
Reason getReasonAgainst(mlir::Operation *user);

/// Tells whether codes of few bits are what `weight` is made of.
bool isOfCodes(mlir::Value weight);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
