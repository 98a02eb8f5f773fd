//===- RunCommand.h - requests of block-run ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_RUNCOMMAND_H
#define PARABLOCK_COMPARE_RUNCOMMAND_H

#include "mlir/IR/MLIRContext.h"
#include "parablock/Execution/RankGroup.h"
#include "parablock/Judges/Compare/RunReport.h"

namespace parablock::runner {

/// A request to block-run; empty strings are unset options.
struct RunRequest {
  std::string irPath = "-";
  /// Empty for the model of each module.
  std::string functionName;
  std::string engine = "reference";
  DimSizes dims;
  std::string weightsPath, inputsPath;
  uint64_t seed = 0;
  /// True if the user gave a seed: numbers are then drawn without a remark.
  bool isSeedGiven = false;

  /// Another engine, a file of outputs, an original function to compare with.
  std::string checkAgainst, expectPath, baselinePath;

  /// Number of ranks; a function that was split requires that many.
  int64_t ranks = 1;
  /// Not null if this process is one of these ranks. Only the first rank
  /// compares and writes files.
  RankGroup *group = nullptr;
  unsigned threads = 0;
  unsigned repeat = 1;
  bool exactArithmetic = false;
  bool trace = false;
  /// Compare gradients among the results with differences; for one rank.
  bool checkGradients = false;
  /// Compares `steps` tokens, in calls of `stepTokens` tokens each, with one
  /// call for all; 0 disables it.
  int64_t steps = 0, stepTokens = 1;

  /// Written if the run succeeds and all outputs are within tolerance.
  std::string outputsPath;
  /// Written if the run succeeds, regardless of the verdicts.
  std::string jsonPath;
  /// Times of kernels and sums, written likewise.
  std::string timelinePath;
};

/// Loads, runs, compares and writes the files. Remarks go to `remarks`.
llvm::Expected<RunReport> runRequest(const RunRequest &request,
                                     const EngineRegistry &engines,
                                     mlir::MLIRContext &context,
                                     llvm::raw_ostream &remarks);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_RUNCOMMAND_H
