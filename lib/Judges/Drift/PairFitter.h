//===- PairFitter.h - one pair being corrected ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_PAIRFITTER_H
#define PARABLOCK_LIB_DRIFT_PAIRFITTER_H

#include "Corrections.h"

namespace parablock::drift {

/// Features and targets of the tokens of one chunk.
struct Rows {
  std::vector<double> features, targets;
};

/// One half of the pair whose output weights can be fitted: those of its last
/// projection, or `shared_down` of a mixture.
struct OutputSide {
  LinearWeights weights;
  const Sublayer *sublayer;
  bool isFirst;
  /// Null, or the mixture.
  block::MoeOp mixture;
  /// The factors of its outputs on the way to the result.
  std::vector<double> gain;
};

class PairFitter {
public:
  PairFitter(const Model &model, const Candidate &candidate,
             const PairWeights &original, PairStreams streams,
             const CorrectionOptions &options)
      : model(model), name(candidate.pair.getName()),
        pair(model.getPair(candidate)), streams(streams), options(options) {
    result.weights = original;
    if (pair.hasPostNorms())
      unchanged = original;
  }

  llvm::Expected<CorrectedPair> run(Correction correction);

private:
  llvm::Error fit(Correction correction);
  llvm::Expected<std::vector<OutputSide>> findOutputs();
  llvm::Error foldJacobian(OutputSide &side);
  llvm::Error refitInputs(bool isFirst);
  llvm::Error refitMixture(block::MoeOp op);
  llvm::Error refitRouter(block::MoeOp op);
  llvm::Error refitShared(block::MoeOp op);
  llvm::Error refitExperts(block::MoeOp op);
  llvm::Error refitExpertOutputs(bool isFirst);
  llvm::Error findChoices(std::vector<int64_t> &counts);
  llvm::Expected<Tensor> readOriginal(size_t index);
  /// Writes fitted weights of a side back to the result.
  void keep(const OutputSide &side);

  /// Rows of a chunk that projections read.
  using Read = llvm::function_ref<llvm::Expected<Tensor>(
      const Tensor &input, size_t index, const Chunk &chunk)>;
  using Filter = llvm::function_ref<bool(size_t index, size_t row)>;
  /// Fits `projections` of the rows that `read` returns to their values for
  /// those that `readWanted` does, on the rows that `filter` accepts.
  llvm::Error fitInputs(llvm::StringRef what,
                        llvm::MutableArrayRef<LinearWeights> projections,
                        bool withBias, Read read, Read readWanted,
                        Filter filter = nullptr);
  /// The common part of fits of experts' output matrices: for each chunk, what
  /// the pair's result lacks, the input of the experts, and their slots.
  struct ExpertRows {
    Stream missing, normed;
    std::vector<Tensors> routed;
    /// Rows of the fit split that choose each expert.
    std::vector<int64_t> counts;
  };
  llvm::Error findExpertRows(bool isFirst, ExpertRows &rows);
  llvm::Expected<Fit> fitExpertOutput(bool isFirst, ExpertRows &rows,
                                      int64_t expert, bool withBias);
  /// Returns the factors of a branch's outputs on the way to the result; none
  /// if one is 0.
  llvm::Expected<std::vector<double>> getOutputGain(bool isFirst);
  /// Returns the rows that the projection of a side reads.
  llvm::Expected<Tensor> readOutput(const OutputSide &side,
                                    const PairValues &values,
                                    const Chunk &chunk);
  /// Fits the output weights of `sides`, which the result is linear in, or of
  /// post-norms, which one sum is linear in.
  llvm::Error refitOutputs(std::vector<OutputSide> &sides);
  /// Computes what the sum that `sides` are part of lacks.
  llvm::Expected<Tensor> findMissing(bool isFirst, const PairValues &values,
                                     size_t index, const Chunk &chunk);
  llvm::Error fitPostNorms(Correction correction,
                           std::vector<OutputSide> sides);
  llvm::Expected<double> measureDistance();
  /// Returns a chunk of what the first branch reads in place of the input.
  llvm::Expected<std::optional<Tensor>> getOlder(size_t chunk) const;
  void roundWeights(const SublayerRunner &runner,
                    const SublayerWeights &original, SublayerWeights &weights);

  using Collect = llvm::function_ref<llvm::Expected<Rows>(
      const Tensor &input, size_t index, const Chunk &chunk)>;
  llvm::Error sumRows(Split split, Collect collect, LeastSquares &squares);
  llvm::Expected<Fit> solve(llvm::StringRef what, int64_t numFeatures,
                            int64_t numTargets, bool withBias, Collect collect,
                            llvm::ArrayRef<LowRank> lowRank = {});
  /// Returns whether the bias of a projection can be fitted: not one that other
  /// layers read.
  bool canFitBias(const Sublayer &sublayer, mlir::Value bias) const {
    return bias && !(options.lowRank && isShared(bias, sublayer.op));
  }
  /// Marks the weights whose matrices other layers read.
  void markShared(const SublayerRunner &runner, SublayerWeights &weights) const;

  /// Appends row `row` of `tensor`.
  static void append(std::vector<double> &to, const Tensor &tensor,
                     size_t row) {
    llvm::ArrayRef<double> values = getRow(tensor, row);
    to.insert(to.end(), values.begin(), values.end());
  }

  const Model &model;
  const std::string name;
  const PairRunner &pair;
  PairStreams streams;
  const CorrectionOptions &options;
  CorrectedPair result;
  /// The weights whose sums in series are the targets of post-norms.
  PairWeights unchanged;
  /// The experts that rows of a chunk choose.
  std::vector<std::vector<reference::Choice>> choices;
};

/// Computes `weights.weight[o, f] += fit.weight[firstFeature + f, firstTarget +
/// o] / gain[o]`, and with `useBias` the bias likewise.
void addFit(LinearWeights &weights, const Fit &fit, int64_t firstFeature,
            int64_t firstTarget, llvm::ArrayRef<double> gain, bool useBias);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_PAIRFITTER_H
