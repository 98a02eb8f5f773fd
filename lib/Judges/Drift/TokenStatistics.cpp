//===- TokenStatistics.cpp - sums means, maxima and percentiles -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TokenStatistics.h"

#include "parablock/Support/StrictJSON.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace parablock;
using namespace parablock::drift;

double TokenStatistics::getMean() const {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

double TokenStatistics::getMeanSquare() const {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double TokenStatistics::getMax() const {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

double TokenStatistics::getP99() const {
  if (values.empty())
    return 0;
  std::vector<double> sorted = values;
  size_t rank = (values.size() - 1) * 99 / 100;
  std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
  return sorted[rank];
}

llvm::json::Value TokenStatistics::toJSON() const {
  if (values.empty())
    return nullptr;
  return llvm::json::Object{{"mean", toJSONNumber(getMean())},
                            {"p99", toJSONNumber(getP99())},
                            {"max", toJSONNumber(getMax())}};
}

double drift::getRatio(double a, double b) { return a == 0 ? 0 : a / b; }

RowComparison drift::compareRows(llvm::ArrayRef<double> a,
                                 llvm::ArrayRef<double> b) {
  double aa = 0, bb = 0, ab = 0, dd = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
    dd += (a[i] - b[i]) * (a[i] - b[i]);
  }
  RowComparison result;
  result.aNorm = std::sqrt(aa);
  result.bNorm = std::sqrt(bb);
  result.difference = std::sqrt(dd);
  if (aa > 0 && bb > 0)
    result.cosine = ab / (result.aNorm * result.bNorm);
  else
    result.cosine = aa == bb ? 1 : 0;
  return result;
}

llvm::ArrayRef<double> drift::getRow(const runner::Tensor &tensor, size_t row) {
  size_t width = static_cast<size_t>(tensor.shape.back());
  return tensor.data().slice(row * width, width);
}
