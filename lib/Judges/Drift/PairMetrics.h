//===- PairMetrics.h - drift of one pair alone ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_PAIRMETRICS_H
#define PARABLOCK_LIB_DRIFT_PAIRMETRICS_H

#include "Model.h"
#include "TokenStatistics.h"

namespace parablock::drift {

/// Per token, for a pair that reads the stream x of the original model: y is
/// the serial output, e the error of the parallel form, d the update of the
/// first branch and f the second branch.
struct PairMetrics {
  /// |e| / |y|, and |e| / |y - x|, which the stream does not hide.
  TokenStatistics outputError, updateError;
  /// Cosines of the two results, and of their updates.
  TokenStatistics outputCosine, updateCosine;
  /// |d| / |x|, and the cosine between inputs of f with and without d.
  TokenStatistics delta, normedCosine;
  /// |J_f d| / |y - x| (of post-norms |J_f d| / |f|), and how much of f(x + d)
  /// - f(x) it does not explain.
  TokenStatistics interaction, nonlinearity;

  void append(const PairMetrics &other);
};

/// Streams before a pair, between its halves and behind it.
struct PairStreams {
  const Stream &input, &middle, &output;
  /// In a ladder, the stream that the first branch reads in place of `input`,
  /// and the one that it reads in the original model.
  const Stream *older = nullptr, *original = nullptr;
};

/// Measures `candidate` on the original streams.
llvm::Expected<PairMetrics> measurePair(const Model &model,
                                        const Candidate &candidate,
                                        const PairWeights &weights,
                                        PairStreams streams, Split split);

/// Only |e| / |y - x|.
llvm::Expected<TokenStatistics> measureUpdateError(const Model &model,
                                                   const Candidate &candidate,
                                                   const PairWeights &weights,
                                                   PairStreams streams,
                                                   Split split);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_PAIRMETRICS_H
