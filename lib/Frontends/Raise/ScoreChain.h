//===- ScoreChain.h - operations on scores ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SCORECHAIN_H
#define PARABLOCK_LIB_RAISE_SCORECHAIN_H

#include "Algebra.h"

namespace parablock::raise {

/// Scores at most this low have no weight.
inline constexpr double kAbsorbed = -1000;

/// A term that is added to the scores, times a factor. Steps are counted from
/// the softmax.
struct ScoreBias {
  Term term;
  double factor;
  bool insideCap;
  unsigned step;
};

/// Scores that are replaced by `fill` where `condition` is, or is not, true.
struct ScoreMask {
  Term condition;
  bool hidesWhere;
  Term fill;
  double factor;
  unsigned step;
};

/// The steps between a product of queries and keys and the softmax.
struct ScoreChain {
  Term product;    // a ReduceSum
  Term query, key; // over its elements and the summed ones
  double scale = 1;
  double cap = 0;
  llvm::SmallVector<ScoreBias> biases;
  llvm::SmallVector<ScoreMask> masks;
  unsigned getNumSteps() const { return biases.size() + masks.size(); }
};

/// Follows `scores`; `end` is the product, or the term where it stops.
std::optional<ScoreChain> followScores(Graph &graph, const Term &scores,
                                       Term &end);

/// Numbers of a constant term over heads, queries and keys; `heads` is 1 if all
/// heads are equal.
struct ScoreTable {
  int64_t heads = 1, queries = 0, keys = 0;
  /// Number of keys before those of the queries' own tokens.
  int64_t past = 0;
  std::vector<double> numbers;
  double at(int64_t head, int64_t query, int64_t key) const {
    return numbers[((heads == 1 ? 0 : head) * queries + query) * keys + key];
  }
};

/// The keys that a query may read, and the biases of their scores.
struct ScoreForm {
  bool causal = false;
  std::optional<int64_t> window;
  std::optional<double> alibi;
  bool alibiBeforeScale = false;
  mlir::Type alibiType;
};

/// Reads allowed keys and biases; `hidden` and `bias` have the same sizes. On
/// failure, sets `reason`.
std::optional<ScoreForm> readScoreForm(const ScoreTable &hidden,
                                       const ScoreTable &bias, int64_t heads,
                                       double scale, mlir::MLIRContext *context,
                                       Reason &reason);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SCORECHAIN_H
