//===- Drift.h - what serial to parallel does to a model --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Running a pair of sublayers side by side that a model was trained to run one
// after the other is not exact. This library measures what it does on given
// data, chooses pairs under a budget, and corrects weights by closed-form least
// squares. docs/Drift.md has the method.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DRIFT_DRIFT_H
#define PARABLOCK_DRIFT_DRIFT_H

#include "mlir/IR/MLIRContext.h"
#include "parablock/Analysis/Choice.h"
#include "parablock/Judges/Runner/ArgumentBinding.h"
#include "parablock/Judges/Runner/Engine.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <optional>

namespace parablock::drift {

/// How pairs are made parallel: the options of block-parallelize.
struct ParallelForm {
  SecondNorm norm = SecondNorm::Separate;
  double scale = 1, attentionScale = 1, mlpScale = 1;
};

/// A function that is ready for many runs; calls may overlap.
using ReadyFunction = std::function<llvm::Expected<std::vector<runner::Tensor>>(
    llvm::ArrayRef<runner::Tensor>)>;

/// The engine for the parts of a model where float32 is exact enough; the rest
/// is the reference's, in float64.
struct DriftEngine {
  using Prepare =
      std::function<llvm::Expected<ReadyFunction>(mlir::func::FuncOp)>;

  std::string name = "reference";
  /// A maker of functions of float32 tensors; a function outlives what is made
  /// of it. Null: the reference runs it all.
  Prepare prepare;
  /// True where the reference runs what the engine has no code for, with a
  /// remark; else that is an error.
  bool fallsBack = false;
};

/// The engine of that name, cpu or reference. Without a name, cpu, with the
/// reference for what that has no code for. `makeCpu` is how cpu prepares.
llvm::Expected<DriftEngine> chooseEngine(
    llvm::StringRef name,
    llvm::function_ref<llvm::Expected<DriftEngine::Prepare>()> makeCpu);

/// Which pairs a search under a budget leaves out unmeasured.
struct Screen {
  /// Auto is On for pairs that were not named one by one and are not corrected:
  /// what a correction recovers does not depend on the size of an update.
  enum Mode { Auto, Off, On } mode = Auto;
  /// The 99th percentile of |d| / |x| from which on an update is large.
  double mostDelta = 0.5;
  /// How many layers make up each end of a model.
  int64_t ends = 2;
};

struct DriftRequest {
  /// An empty name stands for the model of the module.
  std::string irPath, functionName;
  DriftEngine engine;
  /// Parameters; empty: drawn from the seed.
  std::string weightsPath;
  /// Inputs; what it does not give is drawn from the seed.
  std::string dataPath;
  uint64_t seed = 0;
  runner::DimSizes dims;
  /// As block-parallelize takes them, `@choice.json` too: then that file says
  /// how pairs are made parallel, and nothing is chosen or corrected.
  std::string blocks = "all";
  Pairing pairing = Pairing::Block;
  /// Files and parameters that a correction wrote, for `@choice.json`.
  std::string correctedWeightsPath;
  ParallelForm form;
  Correction correction = Correction::None;
  /// Fit the corrections of single pairs, too, that were not asked for.
  bool compareCorrections = false;
  /// Ridge, relative to the mean of the Gram matrix's diagonal.
  double ridge = 1e-4;
  /// Corrections may add biases that the model lacks, and with them names that
  /// the checkpoint lacks.
  bool addBiases = false;
  /// The most KL divergence a token that conversion may cost, in nats; none:
  /// all pairs that `blocks` names.
  std::optional<double> budgetKl;
  Screen screen;
  /// Tokens to generate greedily from the first half of some report sequences,
  /// to see where the converted model says something else; 0: none.
  uint64_t generate = 0;
  /// Hidden states that are kept in memory; the rest goes to a temporary file.
  uint64_t memoryMebibytes = 2048;
  /// A form of block-quantize: weights are written that round to its codes as
  /// the data wants them, and no pairs are looked at; empty: none.
  std::string quantize;
  /// The damping of its Gram matrices, relative to the mean of their diagonals.
  double damping = 1e-2;
  std::string irOutPath, weightsOutPath, choicePath, statisticsPath, jsonPath;
  bool showProgress = false;
};

/// Measures, chooses and corrects, and writes the files that are asked for.
/// Returns the report that goes to `jsonPath`; remarks go to `remarks`.
llvm::Expected<llvm::json::Object> runDrift(const DriftRequest &request,
                                            mlir::MLIRContext &context,
                                            llvm::raw_ostream &remarks);

/// Returns true unless the report has a budget that no pair fits, or that the
/// chosen pairs pass on the report split.
bool keepsBudget(const llvm::json::Object &report);

/// Describes what the chosen pairs cost on both splits beside the budget; empty
/// without one.
std::string describeBudget(const llvm::json::Object &report);

/// The report as a table for people.
void printDrift(llvm::raw_ostream &os, const llvm::json::Object &report);

} // namespace parablock::drift

#endif // PARABLOCK_DRIFT_DRIFT_H
