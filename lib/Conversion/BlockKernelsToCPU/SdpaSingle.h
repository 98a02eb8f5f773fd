//===- SdpaSingle.h - attention of one query --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASINGLE_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASINGLE_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// Attention where a batch row has one query, as in a step of generation. With
/// queries as lanes all but one of them would be idle, so keys are the lanes of
/// scores and columns those of products and sums; rows are read where they lie.
class SdpaSingle {
public:
  /// Tells whether such calls may come and their form is one of those that it
  /// has: others go the way of many queries.
  static bool takes(block::AttentionOpInterface op);

  explicit SdpaSingle(const SdpaFrame &sdpa);

  void emitHead(const SdpaHead &head);

private:
  /// A vector of a row, or two of pairs of its elements.
  struct Part {
    int64_t at, lanes;
    bool inPairs;
    /// Counts the vectors.
    int64_t count() const { return inPairs ? 2 : 1; }
    /// Finds the place of a vector in memory of f32.
    Value find(const Code &code, int64_t number) const {
      return code.index(at + number * lanes);
    }
  };
  llvm::SmallVector<Part> takeApart(int64_t size) const;
  Values load(const Part &part, Value memory, Value row) const;
  Value loadPairs(const Part &part, Value memory, Value row) const;
  void prefetch(Value memory, Value row, int64_t size, int64_t distance) const;
  /// Tells whether keys and queries meet as pairs of bf16.
  bool multipliesPairs(const Part &part) const;
  /// Calls `body` with each vector, and its place in memory of f32.
  void
  forVectors(llvm::ArrayRef<Part> parts,
             llvm::function_ref<void(const Part &part, Value at)> body) const;

  void loadQuery(const SdpaHead &head);
  Value multiply(Value memory, Value row) const;
  Value widen(Value few) const;
  Value addNeighbours(Value first, Value second, int64_t keys) const;
  Value multiplyTogether(Value memory, Value row, int64_t count,
                         int64_t distance) const;
  void multiplyKeys(const SdpaHead &head, const SdpaKeys &keys);
  Value finishScores(const SdpaHead &head, const SdpaKeys &keys, Value slope);
  Value createWeights(const SdpaKeys &keys, Value largest);
  void addValues(const SdpaHead &head, const SdpaKeys &keys, Value correction);
  void addParts(const SdpaHead &head, const SdpaKeys &keys, Value correction,
                llvm::ArrayRef<Part> parts);
  void storeResult(const SdpaHead &head, Value largest, Value total);
  /// Calls `body` for each vector of keys, with the lanes that have one.
  Values forLanes(
      const SdpaKeys &keys, Value initial,
      llvm::function_ref<Value(Value at, Value isThere, Value)> body) const;

  const SdpaFrame &sdpa;
  Code &code;
  /// The query and the sums of values, [element], those of pairs taken apart,
  /// and scores or weights of a block, [key].
  Value query, sums, weights;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASINGLE_H
