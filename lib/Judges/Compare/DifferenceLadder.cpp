//===- DifferenceLadder.cpp - Richardson extrapolation of slopes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/DifferenceLadder.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace parablock::runner;

void DifferenceLadder::add(double step, double difference) {
  assert((steps.empty() || step < steps.back()) && "steps become smaller");
  steps.push_back(step);
  std::vector<double> last = std::move(row);
  row = {difference};
  for (size_t order = 0; order < last.size(); ++order) {
    double ratio = steps[steps.size() - 2 - order] / step;
    double from = row[order];
    row.push_back(from + (from - last[order]) / (ratio * ratio - 1));
    double uncertainty = std::max(std::fabs(row.back() - from),
                                  std::fabs(row.back() - last[order]));
    if (uncertainty < bestEstimate.uncertainty)
      bestEstimate = {row.back(), uncertainty};
  }
}

double DifferenceLadder::findNearest(double value) const {
  return *std::min_element(row.begin(), row.end(), [&](double a, double b) {
    return std::fabs(a - value) < std::fabs(b - value);
  });
}
