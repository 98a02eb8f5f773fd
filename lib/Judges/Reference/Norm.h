//===- Norm.h - statistics of rows and their application --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_NORM_H
#define PARABLOCK_LIB_REFERENCE_NORM_H

#include "Evaluation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::reference {

/// The mean (0 unless centred) and the mean of the squared distances to it.
struct RowStatistics {
  double mean = 0, moment = 0;
};

RowStatistics computeStatistics(llvm::ArrayRef<double> row, bool centered);

/// Returns the results of an op of statistics, [.., number]: those that
/// `compute` returns, and no mean unless they are centred.
mlir::FailureOr<Tensors>
makeStatistics(Evaluation &at, const Tensor &input, int64_t number,
               bool centered,
               llvm::function_ref<RowStatistics(int64_t)> compute);

/// `r` of `#block.norm`, the factor of `x - mean`, for groups of `size`.
double computeNormFactor(block::NormAttr form, double moment, int64_t size);

/// Returns the factor of a stored gain.
double getEffectiveGain(block::NormAttr form, double stored);

/// Statistics have the rows of the input; the mean may be null.
mlir::LogicalResult checkStatisticsRows(Evaluation &at, const Tensor &input,
                                        const Tensor *mean,
                                        const Tensor &moment);

/// The operands of a norm besides its input; gain and bias may be null.
struct NormOperands {
  const Tensor *gamma, *beta;
  block::NormAttr form;
  int64_t groups;
  ElementType type;
};

/// Normalises each group of each row with the statistics from `statisticsOf`;
/// groups are counted through all rows. Rounding points: the one of the form
/// and the result.
Tensor applyStatistics(
    Evaluation &at, const Tensor &input, const NormOperands &operands,
    llvm::function_ref<RowStatistics(int64_t, llvm::ArrayRef<double>)>
        statisticsOf);

/// `block.norm`.
Tensor normalize(Evaluation &at, const Tensor &input,
                 const NormOperands &operands);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_NORM_H
