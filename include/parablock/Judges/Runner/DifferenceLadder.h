//===- DifferenceLadder.h - derivatives from differences --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_DIFFERENCELADDER_H
#define PARABLOCK_RUNNER_DIFFERENCELADDER_H

#include <limits>
#include <vector>

namespace parablock::runner {

/// A derivative, and how far those estimates of it are from each other that
/// ought to be the same.
struct DerivativeEstimate {
  double value = 0;
  double uncertainty = std::numeric_limits<double>::infinity();
};

/// Central differences (f(h) - f(-h)) / 2h with smaller and smaller h, whose
/// error is a series in h^2 where f is smooth: extrapolated to h = 0
/// (Richardson, Neville, Ridders). Large steps see little of the rounding of f,
/// small ones little of its curvature and of kinks nearby; estimates that agree
/// have seen neither.
class DifferenceLadder {
public:
  /// Adds a difference with a step smaller than those before.
  void add(double step, double difference);

  /// The estimate that is surest so far; infinitely unsure before the second
  /// step.
  const DerivativeEstimate &best() const { return bestEstimate; }

  /// The estimate that the last step brought and that is nearest to `value`.
  double findNearest(double value) const;

private:
  std::vector<double> steps;
  /// Estimates of the last step: its difference, and extrapolated with one,
  /// two, .. steps before.
  std::vector<double> row;
  DerivativeEstimate bestEstimate;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_DIFFERENCELADDER_H
