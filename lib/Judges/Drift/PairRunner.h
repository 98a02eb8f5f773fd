//===- PairRunner.h - parallel runs of a pair -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_PAIRRUNNER_H
#define PARABLOCK_LIB_DRIFT_PAIRRUNNER_H

#include "SublayerRunner.h"
#include "parablock/Judges/Drift/Drift.h"

namespace parablock::drift {

struct PairWeights {
  SublayerWeights first, second;
};

/// The values of a pair on one chunk.
struct PairValues {
  Tensor firstNormed, firstFeatures, secondNormed, secondFeatures;
  /// The branches as they are added to the result.
  Tensor firstUpdate, secondUpdate;
  /// The sums that post-norms normalise.
  Tensor firstSum, secondSum;
  Tensor result;
};

/// A pair as converted by block-parallelize: both branches read the stream
/// before the first one, or in a rung of a ladder the first branch reads
/// `older`, the stream one sum older. Under router=serial, the second branch's
/// router reads the stream behind the first branch. In a shortcut, the second
/// branch reads the stream with what the first branch's shared experts add. Of
/// post-norms, the second branch's update is added to the norm of the first
/// sum.
class PairRunner {
public:
  PairRunner(const SublayerRunner &first, const SublayerRunner &second,
             const ParallelForm &form, Outliner &outliner);

  const SublayerRunner &first() const { return one; }
  const SublayerRunner &second() const { return two; }
  /// Returns whether the result is the norm of a sum with a norm.
  bool hasPostNorms() const { return normsSums; }
  /// Factors of the stream and of the two branches. Of post-norms, that of the
  /// stream is 1, and those of branches are in their own sums.
  double getSkipFactor() const { return skipFactor; }
  double getFirstFactor() const { return firstFactor; }
  double getSecondFactor() const { return secondFactor; }

  /// Returns whether the second branch's router reads the stream behind the
  /// first branch.
  bool hasSerialRouter() const { return separatesRouter; }
  /// Returns whether the second branch reads what the first one's shared
  /// experts add.
  bool hasSharedStream() const { return readsShared; }
  /// Returns whether it runs a branch in steps even for its result alone.
  bool needsSteps() const { return sharesNorm || rebasedHead; }

  /// In steps.
  llvm::Expected<PairValues> run(const Tensor &stream,
                                 const PairWeights &weights,
                                 const Dataset &data, const Chunk &chunk,
                                 const Tensor *older = nullptr) const;
  /// The result alone, of the branches that the serial form runs, too. Sets
  /// `middle` to the stream after the first branch's sum; not for pairs that
  /// need steps.
  llvm::Expected<Tensor> runResult(const Tensor &stream,
                                   const PairWeights &weights,
                                   const Dataset &data, const Chunk &chunk,
                                   const Tensor *older = nullptr,
                                   Tensor *middle = nullptr) const;

  /// Computes the update of the second branch for input `middle`, as in series.
  /// A router with a stream of its own reads `fresh`.
  llvm::Expected<Tensor>
  runSecondSerially(const Tensor &middle, const Tensor &fresh,
                    const PairWeights &weights, const Dataset &data,
                    const Chunk &chunk, bool exactly = false) const;
  /// Computes the stream that the second branch reads in the parallel form.
  llvm::Expected<Tensor> runSecondStream(const Tensor &stream,
                                         const PairWeights &weights,
                                         const Dataset &data,
                                         const Chunk &chunk) const;
  /// Computes the inputs of the second branch's projections in the parallel
  /// form.
  llvm::Expected<Tensor> runSecondHead(const Tensor &stream,
                                       const PairWeights &weights,
                                       const Dataset &data,
                                       const Chunk &chunk) const;
  /// Computes what the second branch's router reads in the parallel form.
  llvm::Expected<Tensor> runRouterHead(const Tensor &stream,
                                       const PairWeights &weights,
                                       const Dataset &data,
                                       const Chunk &chunk) const;

private:
  /// The first branch's sum.
  Tensor sumFirst(const Tensor &stream, const Tensor &branch) const;
  Tensor add(const Tensor &stream, const Tensor &firstUpdate,
             const Tensor &secondUpdate) const;
  /// Sets sums and result of post-norms.
  llvm::Error normSums(const Tensor &stream, const Tensor &first,
                       const Tensor &second, const PairWeights &weights,
                       PairValues &values) const;

  const SublayerRunner &one, &two;
  double skipFactor, firstFactor, secondFactor;
  /// The factor of the first branch in its own sum.
  double middleFactor;
  bool sharesNorm = false, normsSums;
  /// The second branch's router reads the stream behind the first branch.
  bool separatesRouter;
  /// The second branch reads what the first one's shared experts add.
  bool readsShared;
  /// The second head under a shared norm's statistics.
  std::optional<Outline> rebasedHead;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_PAIRRUNNER_H
