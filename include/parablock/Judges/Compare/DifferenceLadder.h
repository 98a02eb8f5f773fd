//===- DifferenceLadder.h - derivatives from differences --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_DIFFERENCELADDER_H
#define PARABLOCK_COMPARE_DIFFERENCELADDER_H

#include <limits>
#include <vector>

namespace parablock::runner {

/// A derivative, and the spread of estimates that should
/// agree.
struct DerivativeEstimate {
  double value = 0;
  double uncertainty = std::numeric_limits<double>::infinity();
};

/// Central differences (f(h) - f(-h)) / 2h with smaller and smaller h, whose
/// error is a series in h^2 if f is smooth: extrapolated to h = 0 (Richardson,
/// Neville, Ridders). Large steps are less sensitive to rounding of f, small
/// ones to its curvature and nearby kinks; estimates that agree are affected by
/// neither.
class DifferenceLadder {
public:
  /// Adds a difference with a step smaller than the previous ones.
  void add(double step, double difference);

  /// Returns the estimate with the smallest spread; infinite before the second
  /// step.
  const DerivativeEstimate &best() const { return bestEstimate; }

  /// Returns the estimate of the last step that is nearest to `value`.
  double findNearest(double value) const;

private:
  std::vector<double> steps;
  /// Estimates of the last step: its difference, and extrapolations with one,
  /// two, .. previous steps.
  std::vector<double> row;
  DerivativeEstimate bestEstimate;
};

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_DIFFERENCELADDER_H
