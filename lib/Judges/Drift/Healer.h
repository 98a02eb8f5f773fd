//===- Healer.h - distillation into converted layers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Healing trains the weights of converted layers by Adam, so that the converted
// model's next-token distribution approaches the serial one's. A step reads
// `lanes` calls of some rows each; calls of a step overlap, and their gradients
// are summed in one order, so results do not depend on the number of threads.
// The running mean of the weights with the smallest KL on held-out rows is
// kept: it has less of the noise of single steps.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_HEALER_H
#define PARABLOCK_LIB_DRIFT_HEALER_H

#include "Dataset.h"
#include "HealWeights.h"
#include "Progress.h"
#include <map>

namespace parablock::drift {

/// Everything that changes while a model heals; a checkpoint contains it all.
struct HealState {
  uint64_t step = 0, tokens = 0;
  /// One for each trained tensor (HealWeights.h): its values, their running
  /// mean over steps, the mean that was the best on held-out rows, Adam's
  /// moments.
  Tensors weights, average, best;
  std::vector<std::vector<float>> first, second;
  double bestKl = 0;
  uint64_t bestStep = 0;
  /// KL on held-out rows, by step.
  std::vector<std::pair<uint64_t, double>> history;
  /// The reason for an early end, if any.
  std::string end;
};

/// Fields that identify a run: a checkpoint of other ones is refused.
using HealIdentity = std::map<std::string, std::string>;

/// Writes `state`; replaces the file at once.
llvm::Error writeCheckpoint(llvm::StringRef path, const HealState &state,
                            const HealIdentity &identity);
/// Reads a checkpoint into `state`, whose weights have the expected shapes.
llvm::Error readCheckpoint(llvm::StringRef path, HealState &state,
                           const HealIdentity &identity);

/// Rows of a data set.
struct HealRows {
  const Dataset *data = nullptr;
  std::vector<int64_t> rows;
};

/// Calls of one step.
inline constexpr int64_t healLanes = 4;

class Healer {
public:
  /// `arguments` are the student's: parameters have values, inputs none.
  Healer(const HealPrograms &programs, const Healing &options, uint64_t seed,
         Tensors arguments, HealWeights weights, HealRows training,
         HealRows heldOut);

  /// Returns the tokens of one step.
  static int64_t countStepTokens(HealSizes sizes) {
    return healLanes * sizes.rows * sizes.tokens;
  }
  uint64_t countSteps() const { return steps; }
  int64_t countHeldOut() const {
    return static_cast<int64_t>(heldOut.rows.size()) *
           programs.getSizes().tokens;
  }

  /// Returns the state before healing, of a student with these weights.
  HealState makeState(Tensors start);
  /// Returns KL a token on the held-out rows, of a student with these weights.
  llvm::Expected<double> measure(const Tensors &weights) const;
  const HealWeights &getWeights() const { return weights; }
  /// Trains from `state` on, to the end or to `options.stop`; calls `save`
  /// after each measurement.
  llvm::Error run(HealState &state, Progress &progress,
                  llvm::function_ref<llvm::Error(const HealState &)> save);

private:
  llvm::Error step(HealState &state);
  llvm::Error watch(HealState &state);
  int64_t getTrainingRow(uint64_t position);
  /// Arguments for `rows`; tokens with padding or from `valid` rows on have
  /// weight 0. Returns the number of the others in `tokens`.
  llvm::Expected<Tensors> makeArguments(const HealRows &from,
                                        llvm::ArrayRef<int64_t> rows,
                                        const Tensors &weights,
                                        HealTargets targets, size_t valid,
                                        int64_t &tokens) const;
  Tensor makeTextLogits(const Dataset &data,
                        llvm::ArrayRef<int64_t> rows) const;
  double getRate(uint64_t step) const;

  const HealPrograms &programs;
  const Healing &options;
  const uint64_t seed;
  Tensors arguments;
  HealWeights weights;
  HealRows training, heldOut;
  uint64_t steps = 0, interval = 1;
  /// The order of rows in pass `epoch`.
  std::vector<int64_t> order;
  std::optional<uint64_t> epoch;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_HEALER_H
