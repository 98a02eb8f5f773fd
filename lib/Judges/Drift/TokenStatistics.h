//===- TokenStatistics.h - statistics over tokens ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_TOKENSTATISTICS_H
#define PARABLOCK_LIB_DRIFT_TOKENSTATISTICS_H

#include "parablock/Execution/Engine.h"
#include "llvm/Support/JSON.h"

namespace parablock::drift {

/// Values of tokens, in any order.
class TokenStatistics {
public:
  void add(double value) { values.push_back(value); }
  void append(const TokenStatistics &other) {
    values.insert(values.end(), other.values.begin(), other.values.end());
  }
  bool empty() const { return values.empty(); }
  double getMean() const;
  double getMax() const;
  double getMeanSquare() const;
  /// The value that 99 of 100 tokens do not pass.
  double getP99() const;
  /// Returns `{"mean", "p99", "max"}`, or null without values.
  llvm::json::Value toJSON() const;

private:
  std::vector<double> values;
};

/// 2-norms and the inner product of two rows.
struct RowComparison {
  double aNorm = 0, bNorm = 0, difference = 0, cosine = 1;
};
RowComparison compareRows(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b);

/// `a / b`; 0 where both are 0.
double getRatio(double a, double b);

/// Returns row `row` of a tensor whose last dimension is the row.
llvm::ArrayRef<double> getRow(const runner::Tensor &tensor, size_t row);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_TOKENSTATISTICS_H
