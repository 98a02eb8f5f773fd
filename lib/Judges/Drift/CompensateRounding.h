//===- CompensateRounding.h - weights that round to better codes -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Weights are rounded to codes column by column. What rounding one column
// changes, the columns after it make up for as far as inputs of calibration say
// that they can: by the Cholesky factor of the inverse Gram matrix of what the
// projection reads. The result is weights that are numbers of codes, which
// block-quantize rounds to these codes: within each group the largest magnitude
// stays what it is, and with it the scale.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H
#define PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H

#include "LogitComparison.h"
#include "WeightsOutput.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::drift {

/// The change of a projection's results on the data that rounding its weights
/// makes: squared, relative to the results.
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
  /// these; none where the model has no logits.
  std::vector<LogitDrift> logits;
};

/// Finds them for every projection of `model`. Each sublayer reads what those
/// before it make with codes. The Gram matrix has `damping` times the mean of
/// its diagonal added.
llvm::Expected<CompensatedWeights>
compensateRounding(const Model &model, QuantizedForm form, double damping);

/// The report for JSON.
llvm::json::Object describeRounding(QuantizedForm form,
                                    const CompensatedWeights &weights);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_COMPENSATEROUNDING_H
