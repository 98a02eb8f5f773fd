//===- SdpaGradWeights.h - weights, and gradients by scores -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADWEIGHTS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADWEIGHTS_H

#include "SdpaGradTables.h"
#include "SdpaScores.h"

namespace parablock::cpugen {

/// Rows of all keys of a block of queries, [key][query]; null for none.
struct GradRows {
  /// Products of keys, then scores, weights, and finally the factors of the
  /// gradients by values.
  Value weights;
  /// Products of values with gradients, then the gradient by products of keys.
  Value pulls;
  Value capSlopes;
};

/// Passes three times over the keys of a block of queries: scores and their
/// maxima, weights and the means of their pulls, gradients by scores. Sums of a
/// block of keys are added to those of earlier blocks.
class SdpaGradWeights {
public:
  explicit SdpaGradWeights(const SdpaFrame &sdpa);

  void prepareHead(const SdpaHead &head);
  /// Records the plain products of values, for the means of gamma.
  void addMeans(const SdpaHead &head, const SdpaKeys &keys,
                const GradRows &rows);
  void createScores(const SdpaHead &head, const SdpaKeys &keys,
                    const GradRows &rows);
  void createWeights(const SdpaHead &head, const SdpaKeys &keys,
                     const GradRows &rows);
  /// Converts the sums over all keys to the factors of gradients.
  void finishWeights();
  /// Leaves the gradients by scores, where `isByScore`, or by products.
  void createGradients(const SdpaHead &head, const SdpaKeys &keys,
                       const GradRows &rows, bool isByScore,
                       SdpaGradBuckets &buckets);
  /// Subtracts the means for gamma from the weights.
  void subtractMeans(const SdpaHead &head, const SdpaKeys &keys,
                     const GradRows &rows);
  /// Give sums over the block's queries: for the gradients by beta and gamma.
  Value sumBeta() const;
  Value sumGamma() const;
  /// The same by the head's sink.
  Value sumSinks() const;

private:
  /// Returns the lanes whose query may read `key`.
  Value isVisible(const SdpaHead &head, Value key, int64_t vector);
  Value loadVector(Value memory, int64_t vector) const;
  void storeVector(Value value, Value memory, int64_t vector) const;
  /// Adds vectors, those of the first memory first.
  void addToVectors(ValueRange own, llvm::ArrayRef<Value> memories);

  const SdpaFrame &sdpa;
  Code &code;
  SdpaScores scores;
  SdpaDropout dropout;
  /// Lanes with a query.
  Values isThere;
  Value beta, gamma, sink;
  /// Memory, by query: the largest score, the reciprocal of the total of
  /// weights, the weighted mean of pulls (first sums); the number of keys and
  /// the sum of their pulls.
  Value maxima, factors, means, counts, pullSums;
  /// Memory, by query: the weight of the sink times the mean of pulls.
  Value sinkPulls;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADWEIGHTS_H
