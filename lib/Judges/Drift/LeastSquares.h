//===- LeastSquares.h - ridge regression on streamed sums -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_LEASTSQUARES_H
#define PARABLOCK_LIB_DRIFT_LEASTSQUARES_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace parablock::drift {

/// Weights of some features, the first ones, for some targets are to have a
/// rank of at most `rank`.
struct LowRank {
  int64_t numFeatures = 0, firstTarget = 0, numTargets = 0, rank = 0;
};

/// Weights of the first features for some targets as a product: `right^T
/// left`, of left `[rank, targets]` and right `[rank, features]`.
struct Factorised {
  int64_t firstTarget = 0, rank = 0;
  std::vector<double> left, right;
};

/// `target = features * weight + bias`, fitted.
struct Fit {
  /// Row-major `[features, targets]`, and `[targets]`.
  std::vector<double> weight, bias;
  /// In the order of what was to have a low rank.
  std::vector<Factorised> factors;
  int64_t samples = 0, numFeatures = 0, numTargets = 0;
  double ridge = 0;
  /// The condition of the regularised Gram matrix, estimated in the 1-norm.
  double condition = 0;
  /// The rest of the centred targets, as a share of their energy.
  double residual = 0;
};

/// Sums of products of rows in float64. Memory: features squared, and features
/// times targets, independent of the number of rows.
class LeastSquares {
public:
  LeastSquares(int64_t numFeatures, int64_t numTargets);

  /// Rows `[rows, features]` and `[rows, targets]`.
  void add(llvm::ArrayRef<double> features, llvm::ArrayRef<double> targets);

  /// Returns f^T f, of which only the lower triangle is valid.
  llvm::ArrayRef<double> getGram() const { return gram; }
  /// Minimises `|t - f W - b|^2 + ridge |W|^2` with a ridge of
  /// `relativeRidge` times the mean of the Gram matrix's diagonal; without a
  /// bias, b is 0. `lowRank` is kept exactly: the result is the least of all
  /// such W.
  llvm::Expected<Fit> solve(double relativeRidge, bool withBias,
                            llvm::ArrayRef<LowRank> lowRank = {}) const;
  /// Returns the squared error of `fit` on these rows.
  double measureError(const Fit &fit) const;

private:
  int64_t numFeatures, numTargets, samples = 0;
  /// Row-major sums: f^T f (its lower triangle), f^T t, and of f, t and t * t.
  std::vector<double> gram, cross, featureSum, targetSum, targetSquares;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_LEASTSQUARES_H
