//===- DriftReport.h - reports as JSON --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_DRIFTREPORT_H
#define PARABLOCK_LIB_DRIFT_DRIFTREPORT_H

#include "Floor.h"
#include "Selection.h"
#include "Tasks.h"
#include "WeightsOutput.h"

namespace parablock::drift {

/// Everything that a run found out.
struct DriftResults {
  Scan scan;
  std::vector<NumericFloor> floors;
  std::vector<Candidate> chosen;
  Prediction sums;
  std::vector<Trial> trials;
  /// The chosen set on the select split, if there is one and the model has
  /// logits; the following are on the report split.
  std::optional<Trial> selected;
  Conversion conversion;
  LogitDrift logits;
  /// Errors of the last stream.
  TokenStatistics lastStream;
  std::optional<Divergence> divergence;
  /// Empty without tasks.
  std::vector<TaskScore> tasks;
  WeightChanges changes;
  /// Parts that the engine did not run: why, and how many.
  std::map<std::string, int64_t> refusals;
  /// A report of healing; empty without it.
  llvm::json::Object healing;
  std::string modelHash, weightsHash, correctedWeightsHash, dataHash;
};

/// Returns the choice file's contents.
Choice makeChoice(const DriftRequest &request, const Model &model,
                  const DriftResults &results);

llvm::json::Object makeReport(const DriftRequest &request, const Model &model,
                              const DriftResults &results);

/// Writes the requested files. `original` is the module as
/// read.
llvm::Error writeOutputs(const DriftRequest &request, const Model &model,
                         const DriftResults &results,
                         const llvm::json::Object &report,
                         mlir::ModuleOp original);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_DRIFTREPORT_H
