//===- SdpaScores.h - scores and weights of attention -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASCORES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASCORES_H

#include "SdpaDropout.h"
#include "SdpaFrame.h"
#include <limits>

namespace parablock::cpugen {

/// The score of a hidden key: the lowest finite number. Weights of such keys
/// are 0 for any other scores.
inline constexpr double kHiddenScore = std::numeric_limits<float>::lowest();

/// ALiBi's slope of a head; null where there is none.
Value createSlope(const SdpaFrame &sdpa, const SdpaHead &head);

/// Makes scores of products, one vector of queries and key after the other.
class SdpaScores {
public:
  explicit SdpaScores(const SdpaFrame &sdpa);

  void prepareHead(const SdpaHead &head);
  /// Returns which lanes may look at a key; null for all.
  using VisibleFn = llvm::function_ref<Value(Value key, int64_t vector)>;
  /// Turns the products of a block of keys in `memory` into scores, and returns
  /// the largest ones so far. Stores slopes of the soft cap at `capSlopes`,
  /// unless that is null.
  Values finish(const SdpaHead &head, const SdpaKeys &keys, Value memory,
                Value capSlopes, ValueRange before, VisibleFn isVisible);
  /// Returns the weight of a score that is not hidden.
  Value createWeight(Value score, Value largest) const;
  /// Says which lanes may look at `key`; null for all.
  Value isAllowed(const SdpaHead &head, Value key, int64_t vector);

private:
  void prepareKeys(const SdpaHead &head, const SdpaKeys &keys);
  Value create(const SdpaHead &head, const SdpaKeys &keys, Value product,
               Value key, int64_t vector);
  /// Returns the slope of the soft cap on the way of a product.
  Value createCapSlope(const SdpaHead &head, const SdpaKeys &keys,
                       Value product, Value key, int64_t vector);
  /// All but the entry of score_bias.
  ScorePlace findPlace(const SdpaHead &head, const SdpaKeys &keys, Value key,
                       int64_t vector);
  Value loadBias(const SdpaHead &head, Value key, int64_t vector);

  const SdpaFrame &sdpa;
  Code &code;
  mutable block::AttentionOpInterface op;
  /// ALiBi's slope of the head.
  Value slope;
  /// Memory: entries of the relative table for all distances that a block of
  /// keys has, from its last key and the first query on.
  Value relatives;
  /// Distances between elements of each dimension of score_bias, 0 where one
  /// element stands for all.
  Values biasStrides;
};

/// The softmax so far of a block of queries: the largest score and the total of
/// the weights of each. Memory has a block of keys' scores, then their weights.
class SdpaSoftmax {
public:
  explicit SdpaSoftmax(const SdpaFrame &sdpa);

  void prepareHead(const SdpaHead &head);
  /// Turns products of keys into weights.
  void addKeys(const SdpaHead &head, const SdpaKeys &keys);

  SdpaScores &getScores() { return scores; }
  /// Products, scores and weights, [key][query].
  Value getWeights() const { return weights; }
  /// Ones where a key is allowed, of gamma; null where there is none.
  Value getMarks() const { return marks; }
  /// Give, by query, what earlier sums are multiplied by, the total of weights,
  /// and the number of allowed keys, of gamma.
  Value getCorrections() const { return corrections; }
  Value getMaxima() const { return maxima; }
  Value getTotals() const { return totals; }
  Value getMarkCounts() const { return markCounts; }

private:
  void finishScores(const SdpaHead &head, const SdpaKeys &keys);
  void createWeights(const SdpaHead &head, const SdpaKeys &keys);

  const SdpaFrame &sdpa;
  Code &code;
  SdpaScores scores;
  SdpaDropout dropout;
  Value weights, maxima, totals, corrections, marks, markCounts;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASCORES_H
