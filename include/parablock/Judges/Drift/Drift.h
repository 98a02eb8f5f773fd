//===- Drift.h - drift of parallel blocks -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// If a model was trained with two sublayers in sequence, running them in
// parallel is not exact. This library measures the error on given data, chooses
// pairs under a budget, and corrects weights by closed-form least squares.
// docs/Drift.md has the method.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DRIFT_DRIFT_H
#define PARABLOCK_DRIFT_DRIFT_H

#include "mlir/IR/MLIRContext.h"
#include "parablock/Analysis/Choice.h"
#include "parablock/Execution/ArgumentBinding.h"
#include "parablock/Execution/Engine.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <optional>

namespace parablock::drift {

/// Options of block-parallelize for the pairs.
struct ParallelForm {
  SecondNorm norm = SecondNorm::Separate;
  RouterInput router = RouterInput::Parallel;
  double scale = 1, attentionScale = 1, mlpScale = 1;
  /// Pairs are rungs: the first branch reads the stream one sum older.
  bool ladder = false;
  /// Routed experts of the first branch alone run beside the second one.
  bool shortcut = false;
};

/// A function compiled for many runs; calls may overlap.
using ReadyFunction = std::function<llvm::Expected<std::vector<runner::Tensor>>(
    llvm::ArrayRef<runner::Tensor>)>;

/// The engine for parts of a model where float32 suffices; the reference engine
/// runs the rest in float64.
struct DriftEngine {
  using Prepare =
      std::function<llvm::Expected<ReadyFunction>(mlir::func::FuncOp)>;

  std::string name = "reference";
  /// A factory of functions of float32 tensors, which outlives the functions.
  /// If null, the reference engine runs everything.
  Prepare prepare;
  /// True if the reference engine, with a remark, runs functions that the
  /// engine has no code for; otherwise those are errors.
  bool fallsBack = false;
};

/// Returns the engine of that name, cpu or reference. Without a name, returns
/// cpu with the reference engine as fallback. `makeCpu` prepares functions for
/// cpu.
llvm::Expected<DriftEngine> chooseEngine(
    llvm::StringRef name,
    llvm::function_ref<llvm::Expected<DriftEngine::Prepare>()> makeCpu);

/// The order in which a search under a budget adds pairs: those that cost least
/// alone first, or the last layers first.
enum class BudgetOrder { Cheapest, Top };

/// Limits of what conversion may cost. Without any, all pairs that `blocks`
/// names are chosen.
struct Budget {
  /// Maximum KL divergence per token, in nats.
  std::optional<double> kl;
  /// Minimum share of greedy continuations that stay the same.
  std::optional<double> generation;
  /// Maximum ratio of the perplexities of the converted and the serial model.
  std::optional<double> perplexity;
  /// Minimum number of solved tasks over that of the serial model, for each
  /// kind of task.
  std::optional<double> tasks;

  BudgetOrder order = BudgetOrder::Cheapest;

  bool isGiven() const { return kl || generation || perplexity || tasks; }
};

/// Pairs that a search under a budget excludes without measuring.
struct Screen {
  /// Auto enables it for pairs that were selected as a group and are not
  /// corrected: the effect of a correction does not depend on the size of an
  /// update.
  enum Mode { Auto, Off, On } mode = Auto;
  /// The 99th percentile of |d| / |x| above which an update is large.
  double mostDelta = 0.5;
  /// Number of layers at each end of a model.
  int64_t ends = 2;
};

/// The target of healing: the serial model's distribution, or the text.
enum class HealTargets { Teacher, Text };

/// Training of the weights of converted layers after the correction.
struct Healing {
  /// Tokens to train on; 0: none.
  uint64_t tokens = 0;
  /// The largest learning rate of Adam; 3e-4 by default.
  std::optional<double> rate;
  double getRate() const { return rate.value_or(3e-4); }
  HealTargets targets = HealTargets::Teacher;
  /// Inputs to train on; empty: the fit part of the data.
  std::string dataPath;
  /// A file that is written while the model heals, and continued from if it
  /// exists.
  std::string checkpointPath;
  /// The step to stop at; the schedule stays that of `tokens`.
  std::optional<uint64_t> stop;
  /// The factor of the relative squared error of streams in the loss; by
  /// default 1 towards the teacher, and 0 towards text.
  std::optional<double> streams;
  /// The rank of the change of each matrix; 0: matrices are trained whole.
  uint64_t loraRank = 0;
  /// A form of block-quantize to whose codes the student's trained matrices are
  /// rounded; empty: none.
  std::string codes;
};

struct DriftRequest {
  /// Path of the IR, and the function; an empty name selects the module's
  /// model.
  std::string irPath, functionName;
  DriftEngine engine;
  /// Parameters; empty: drawn from the seed.
  std::string weightsPath;
  /// Inputs; missing ones are drawn from the seed.
  std::string dataPath;
  uint64_t seed = 0;
  runner::DimSizes dims;
  /// In the syntax of block-parallelize, including `@choice.json`: the file
  /// then determines the pairs, and no pairs are chosen or corrected.
  std::string blocks = "all";
  Pairing pairing = Pairing::Block;
  /// Files and parameters that a correction wrote, for `@choice.json`.
  std::string correctedWeightsPath;
  ParallelForm form;
  Correction correction = Correction::None;
  /// Also fit corrections of single pairs that were not requested.
  bool compareCorrections = false;
  /// Ridge, relative to the mean of the Gram matrix's diagonal; by default each
  /// regression chooses one on the select split.
  std::optional<double> ridge;
  /// True if corrections may add biases, and thus names, that model and
  /// checkpoint lack.
  bool addBiases = false;
  /// The rank of changes of matrices that other layers read, too; 0: such a
  /// matrix is an error.
  uint64_t lowRank = 0;
  Healing healing;
  /// The first layer of which pairs are considered: an index, half, or empty.
  std::string from;
  Budget budget;
  Screen screen;
  /// Number of tokens to generate greedily from the first half of some
  /// sequences, to find where the converted model diverges; 0: none; without a
  /// value, up to 64 if the model generates.
  std::optional<uint64_t> generate;
  /// Tasks that both models are to solve; empty: none.
  std::string tasksPath;
  /// Memory for hidden states; the rest goes to a temporary file.
  uint64_t memoryMebibytes = 2048;
  /// A form of block-quantize: writes weights that round to its codes, adjusted
  /// to the data, and examines no pairs; empty: none.
  std::string quantize;
  /// Form that block-quantize rounds rows of products to, measured beside its
  /// codes: fp8; empty: none.
  std::string activations;
  /// The damping of its Gram matrices, relative to the mean of their diagonals.
  double damping = 1e-2;
  std::string irOutPath, weightsOutPath, choicePath, statisticsPath, jsonPath;
  bool showProgress = false;
  /// The options that were given, by the names of block-drift's flags: one that
  /// has no effect beside the others is an error with its default value, too.
  llvm::StringSet<> given;
  bool isGiven(llvm::StringRef option) const { return given.contains(option); }
};

/// The largest rank of changes of matrices.
inline constexpr uint64_t largestRank = 1 << 16;

/// Measures, chooses, corrects, and writes the requested files. Returns the
/// report for `jsonPath`; remarks go to `remarks`.
llvm::Expected<llvm::json::Object> runDrift(const DriftRequest &request,
                                            mlir::MLIRContext &context,
                                            llvm::raw_ostream &remarks);

/// Returns false if no pair fits the report's budget, or the chosen pairs
/// exceed it on the report split.
bool keepsBudget(const llvm::json::Object &report);

/// Describes the cost of the chosen pairs on both splits against the budget;
/// empty without a budget.
std::string describeBudget(const llvm::json::Object &report);

/// Prints the report as a table.
void printDrift(llvm::raw_ostream &os, const llvm::json::Object &report);

} // namespace parablock::drift

PARABLOCK_NAMED_ENUM(parablock::drift::HealTargets, "teacher", "text")
PARABLOCK_NAMED_ENUM(parablock::drift::BudgetOrder, "cheapest", "top")

#endif // PARABLOCK_DRIFT_DRIFT_H
