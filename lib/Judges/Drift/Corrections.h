//===- Corrections.h - weights fitted to the parallel form ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mean-jacobian  the first branch's output weight absorbs the second branch's
//                average response to the first one's update
// output-refit   both output projections, as one map on their concatenated
//                features, are fitted to the original model's stream
// refit          before that, the projections that read the stream of the
//                second branch are fitted to their values in series; in a
//                ladder, those of the first branch, too. After it, the output
//                matrix of each expert is fitted to what remains, on the rows
//                that choose it
//
// A post-norm is linear in nothing: of post-norms, each output projection is
// fitted alone, to the sum in series that the norm is of, and the first
// branch's before the projections of the stream.
//
// All are closed-form ridge regressions on the fit split; a correction that
// does not help on the select split is dropped.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_CORRECTIONS_H
#define PARABLOCK_LIB_DRIFT_CORRECTIONS_H

#include "GivenWeights.h"
#include "LeastSquares.h"
#include "PairMetrics.h"

namespace parablock::drift {

struct CorrectionOptions {
  /// Relative to the mean of the Gram matrix's diagonal; by default each fit
  /// chooses one on the select split.
  std::optional<double> ridge;
  bool addBiases = false;
  /// The rank of changes of matrices that other layers read; 0: none.
  int64_t lowRank = 0;
  /// Weights to measure with instead of fitting any; may be null.
  const GivenWeights *given = nullptr;
};

/// One regression that was made.
struct FitRecord {
  /// "inputs", "first inputs", "outputs", "first outputs", "jacobian", or a
  /// part of a mixture, such as "router" or "output of expert 3".
  std::string what;
  int64_t tokens = 0, unknowns = 0, targets = 0;
  double ridge = 0;
  /// The ridge relative to the mean of the Gram matrix's diagonal.
  double relativeRidge = 0;
  double condition = 0, residual = 0;
  /// The largest rank of what was fitted of shared matrices; 0 without any.
  int64_t rank = 0;
};

/// Experts whose matrices were fitted, those that too few rows choose, and the
/// rows that one needs.
struct FittedExperts {
  int64_t refitted = 0, left = 0, neededRows = 0;
};

struct CorrectedPair {
  PairWeights weights;
  std::vector<FitRecord> fits;
  /// True where the weights are corrected; if not, why.
  bool applied = false;
  std::string reason;
  /// Squared distance to the target on the select split over that of the
  /// uncorrected pair.
  double heldOutRatio = 1;
  /// Fits of projections of the stream, and of output matrices.
  FittedExperts experts, outputs;
};

/// Fits a correction of `candidate`, whose weights are `original`.
/// `streams.input` is the input of the pair in the converted model; middle and
/// output are the original model's.
llvm::Expected<CorrectedPair>
correctPair(const Model &model, const Candidate &candidate,
            Correction correction, const PairWeights &original,
            PairStreams streams, const CorrectionOptions &options);

/// Returns the number of unknowns per target in the largest regression.
int64_t countUnknowns(const Model &model, const Candidate &candidate,
                      Correction correction);

/// Returns an error if `candidate` lacks what `correction` fits, if other
/// layers read it, too, or if there is no place for an added bias.
llvm::Error checkCorrection(const Model &model, const Candidate &candidate,
                            Correction correction,
                            const CorrectionOptions &options);

/// Returns whether a matrix that `correction` fits has other readers.
bool fitsSharedMatrix(const Model &model, const Candidate &candidate,
                      Correction correction);

/// Fewer tokens than this times the unknowns are refused.
inline constexpr int64_t minTokensPerUnknown = 4;

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_CORRECTIONS_H
