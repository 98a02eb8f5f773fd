//===- NormFolding.h - when norms may stand behind products -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
#define PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H

#include "NormStatisticsFile.h"
#include "mlir/IR/PatternMatch.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// How far the rows that norms read are from centred, measured or promised.
class RowCentring {
public:
  /// Reads the file of measurements, where `path` names one; `promised` is the
  /// ratio of rows that it does not have.
  static llvm::Expected<RowCentring> read(llvm::StringRef path,
                                          double promised);

  /// The largest |mean| / standard deviation that rows of `norm` are known to
  /// have; negative where nothing is known.
  double getMaxMeanOverStd(NormalizeOp norm) const;

private:
  std::optional<double> lookupMeasured(LayerOp layer) const;

  std::optional<NormStatisticsFile> measured;
  double promised = -1;
};

/// Fails where rounding `norm`'s rows before their mean is removed is worse
/// than rounding them behind it, and says so at `at`.
llvm::LogicalResult checkFoldedRounding(NormalizeOp norm, double maxMeanOverStd,
                                        mlir::Operation *at,
                                        llvm::StringRef pass,
                                        mlir::RewriterBase &rewriter);

/// Why a norm that `user`, no projection, reads cannot be folded.
Reason getReasonAgainst(mlir::Operation *user);

/// Tells whether codes of few bits are what `weight` is made of.
bool isOfCodes(mlir::Value weight);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMFOLDING_H
