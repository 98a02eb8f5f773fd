//===- CompensateRounding.h - weights that round better ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Weights are rounded to codes column by column. Later columns compensate the
// error of rounding a column, as far as the calibration inputs allow: by the
// Cholesky factor of the inverse Gram matrix of the projection's input. The
// resulting weights are exact numbers of codes, and block-quantize rounds them
// to these codes: within each group the largest magnitude, and thus the scale,
// is unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H
#define PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H

#include "LogitComparison.h"
#include "WeightsOutput.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::drift {

/// The error in a projection's results caused by rounding its weights, on the
/// data: squared, relative to the results.
struct RoundingError {
  int64_t layer;
  std::string projection;
  double nearest, compensated;
  /// Elements that the type of the file rounds to another code.
  int64_t lost;
};

struct CompensatedWeights {
  WeightChanges changes;
  std::vector<RoundingError> errors;
  /// Comparisons of logits on the report split, with nearest codes and with
  /// these; empty if the model has no logits.
  std::vector<LogitDrift> logits;
  /// The same of block-quantize's nearest codes and rows of products in codes:
  /// compared with the model, and with the nearest codes alone.
  std::optional<LogitDrift> rows, rowsAlone;
};

/// Computes them for every projection of `model`. The inputs of each sublayer
/// come from earlier ones with codes. `damping` times the mean of its diagonal
/// is added to the Gram matrix. `encoded` are the functions with nearest codes,
/// and with rows in codes besides, or none.
llvm::Expected<CompensatedWeights>
compensateRounding(const Model &model, QuantizedForm form, double damping,
                   llvm::ArrayRef<mlir::func::FuncOp> encoded);

/// The report for JSON.
llvm::json::Object describeRounding(QuantizedForm form,
                                    const CompensatedWeights &weights);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H
