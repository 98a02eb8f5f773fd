//===- NormFolding.h - conditions for folding norms -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
#define PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H

#include "ExactPattern.h"
#include <functional>

namespace parablock::block {

/// Returns the largest known |mean| / standard deviation of rows of a norm;
/// negative if unknown.
using RowCentring = std::function<double(NormalizeOp)>;

/// Fails if rounding `norm`'s rows before their mean is removed is worse than
/// rounding them afterwards, with a remark at `at`.
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

/// Applies the patterns of `populate` to each op within `root`, as `applyOnce`
/// does. The centring of rows comes from the file `statistics`, if given, or
/// from `promised` for rows not in it. Fails, with an error, if the file cannot
/// be read.
llvm::LogicalResult applyFolding(
    mlir::Operation *root, llvm::StringRef statistics, double promised,
    llvm::function_ref<void(mlir::RewritePatternSet &, RowCentring)> populate,
    llvm::StringRef pass, llvm::StringRef sought, mlir::Pass::Statistic &done,
    mlir::Pass::Statistic &refused);

/// Why a norm that `user`, no projection, reads cannot be folded.
Reason getReasonAgainst(mlir::Operation *user);

/// Returns whether `weight` is unpacked from codes of few bits.
bool isOfCodes(mlir::Value weight);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
