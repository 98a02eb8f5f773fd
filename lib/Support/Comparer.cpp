//===- Comparer.cpp - Measuring one result by another ---------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/Comparer.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>

using namespace parablock;
using llvm::ArrayRef;

namespace {
/// Sums over the elements that are finite on both sides.
struct Sums {
  double difference = 0, got = 0, want = 0, product = 0, update = 0;

  void operator+=(const Sums &other) {
    difference += other.difference;
    got += other.got;
    want += other.want;
    product += other.product;
    update += other.update;
  }
};

double relative(double errorSquared, double normSquared) {
  return errorSquared == 0 ? 0 : std::sqrt(errorSquared / normSquared);
}

double computeCosine(const Sums &sums) {
  if (sums.got == 0 && sums.want == 0)
    return 1;
  if (sums.got == 0 || sums.want == 0)
    return 0;
  return sums.product / (std::sqrt(sums.got) * std::sqrt(sums.want));
}

class Comparison {
public:
  Comparison(ArrayRef<double> got, ArrayRef<double> want,
             const CompareOptions &options)
      : got(got), want(want), updateBase(options.updateBase),
        leastSquares(options.leastNorm * options.leastNorm) {}

  void addRow(size_t row, size_t rowLength) {
    Sums sums;
    double largest = 0;
    for (size_t i = row * rowLength; i < (row + 1) * rowLength; ++i)
      largest = std::max(largest, addElement(i, sums));
    total += sums;
    rows.push_back({row, rowLength, sums, largest});
  }

  ErrorMetrics finish() {
    if (metrics.numCompared == 0)
      return metrics;
    metrics.rms = std::sqrt(total.difference / metrics.numCompared);
    metrics.errorNorm = std::sqrt(total.difference);
    double size = std::max(total.want, leastSquares);
    metrics.relL2 = relative(total.difference, size);
    if (total.want < leastSquares)
      metrics.wantIsZero = metrics.wantIsConstant = true;
    if (!updateBase.empty())
      metrics.relL2Update = relative(total.difference, total.update);
    metrics.cosine = computeCosine(total);
    // A row that happens to be small may not make its error look large.
    double typicalNorm = size / static_cast<double>(rows.size());
    for (const Row &row : rows) {
      double norm = std::max(row.sums.want, typicalNorm);
      double error = relative(row.sums.difference, norm);
      if (error > metrics.worstRowRelL2) {
        metrics.worstRowRelL2 = error;
        metrics.worstRow = row.index;
      }
      findWorstElement(row, norm);
    }
    return metrics;
  }

private:
  struct Row {
    size_t index, length;
    Sums sums;
    /// The largest |got - want|.
    double largest;
  };

  /// Finds the worst element in a row. Errors of elements are relative to at
  /// least the rms of a row whose sum of squares is `norm`.
  void findWorstElement(const Row &row, double norm) {
    double rms = std::sqrt(norm / static_cast<double>(row.length));
    if (row.largest <= metrics.worstElementError * rms)
      return;
    for (size_t i = row.index * row.length; i < (row.index + 1) * row.length;
         ++i) {
      if (!std::isfinite(got[i]) || !std::isfinite(want[i]) ||
          got[i] == want[i])
        continue;
      double error =
          std::fabs(got[i] - want[i]) / std::max(rms, std::fabs(want[i]));
      if (error > metrics.worstElementError) {
        metrics.worstElementError = error;
        metrics.worstElement = i;
      }
    }
  }

  /// Returns |got - want|, or 0 for an ignored element.
  double addElement(size_t i, Sums &sums) {
    double g = got[i], w = want[i];
    if (!std::isfinite(g) || !std::isfinite(w)) {
      if (g == w || (std::isnan(g) && std::isnan(w)))
        ++metrics.numSameNonFinite;
      else if (metrics.numDifferentNonFinite++ == 0)
        metrics.firstDifferentNonFinite = i;
      return 0;
    }
    if (metrics.numCompared++ == 0) {
      firstGot = g;
      firstWant = w;
    }
    metrics.gotIsConstant &= g == firstGot;
    metrics.wantIsConstant &= w == firstWant;
    metrics.gotIsZero &= g == 0;
    metrics.wantIsZero &= w == 0;
    double difference = g - w;
    metrics.maxAbs = std::max(metrics.maxAbs, std::fabs(difference));
    sums.difference += difference * difference;
    sums.got += g * g;
    sums.want += w * w;
    sums.product += g * w;
    if (!updateBase.empty())
      sums.update += (w - updateBase[i]) * (w - updateBase[i]);
    return std::fabs(difference);
  }

  ArrayRef<double> got, want, updateBase;
  double leastSquares;
  ErrorMetrics metrics;
  Sums total;
  std::vector<Row> rows;
  double firstGot = 0, firstWant = 0;
};
} // namespace

ErrorMetrics parablock::compare(ArrayRef<double> got, ArrayRef<double> want,
                                const CompareOptions &options) {
  assert(got.size() == want.size() && "results of different size");
  if (got.empty())
    return {};
  ArrayRef<uint8_t> mask = options.rowMask;
  size_t rowLength = options.rowLength ? options.rowLength : got.size();
  size_t numRows = mask.empty() ? got.size() / rowLength : mask.size();
  rowLength = got.size() / numRows;
  assert(numRows * rowLength == got.size() && "rows of different length");
  Comparison comparison(got, want, options);
  for (size_t row = 0; row < numRows; ++row)
    if (mask.empty() || mask[row])
      comparison.addRow(row, rowLength);
  return comparison.finish();
}
