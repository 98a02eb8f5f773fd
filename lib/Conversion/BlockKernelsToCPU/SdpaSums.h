//===- SdpaSums.h - weighted sums of values, and the result -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASUMS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASUMS_H

#include "SdpaInputs.h"
#include "SdpaScores.h"

namespace parablock::cpugen {

/// Sums of values of a block of queries, weighted and, for gamma, unweighted;
/// and the computation of the result.
class SdpaSums {
public:
  SdpaSums(const SdpaFrame &sdpa, SdpaInputs &inputs, SdpaSoftmax &softmax);

  void prepareHead();
  void addKeys(const SdpaHead &head, const SdpaKeys &keys);
  /// As addKeys, query by query, of keys that it may look at alone.
  void addVisibleKeys(const SdpaHead &head, const SdpaKeys &keys);
  /// Returns whether all sums are finite.
  Value areFinite(const SdpaHead &head);
  void storeResult(const SdpaHead &head);

  /// Memory, [query][element], with rows of `paddedValues`.
  Value getSums() const { return sums; }

private:
  Value placeIn(Value row, Value column);
  void add(const SdpaHead &head, const SdpaKeys &keys, Value weights, Value to,
           bool corrected);
  /// Writes weights as pairs of keys, [pair][query], or on tiles [query][pair].
  void pairWeights(const SdpaKeys &keys, Value weights);
  /// The number of pairs, on tiles of whole steps.
  Value countPairs(const SdpaKeys &keys);
  void addOnTiles(const SdpaHead &head, const SdpaKeys &keys, Value to,
                  bool corrected);
  ProductOperands getOperands(Value weights, Value firstQuery, Value column);
  void noteVisible(const SdpaHead &head, const SdpaKeys &keys);
  void addVisible(const SdpaHead &head, const SdpaKeys &keys, Value weights,
                  Value to, bool corrected);

  const SdpaFrame &sdpa;
  Code &code;
  SdpaInputs &inputs;
  SdpaSoftmax &softmax;
  Value sums, markSums;
  /// Memory of weights in pairs; null where values are f32.
  Value pairs;
  /// Memory: ones where a query may look at a key; only where some may not.
  Value visible;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASUMS_H
