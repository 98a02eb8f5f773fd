//===- Norm.h - statistics of rows and their application --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_NORM_H
#define PARABLOCK_LIB_REFERENCE_NORM_H

#include "Steps.h"

namespace parablock::reference {

/// The mean (0 unless centred) and the mean of the squared distances to it.
struct RowStatistics {
  double mean = 0, moment = 0;
};

RowStatistics computeStatistics(llvm::ArrayRef<double> row, bool centered);

/// Normalises each group of each row with the statistics that `statisticsOf`
/// says it has; groups are counted through all rows. Rounding points: the one
/// of the form and the result.
mlir::FailureOr<Tensor> applyStatistics(
    Evaluation &at, const Tensor &input, const NormOperands &operands,
    llvm::function_ref<RowStatistics(int64_t, llvm::ArrayRef<double>)>
        statisticsOf);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_NORM_H
