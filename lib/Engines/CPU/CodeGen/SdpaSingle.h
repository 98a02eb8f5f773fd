//===- SdpaSingle.h - attention of one query --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_SDPASINGLE_H
#define PARABLOCK_LIB_CPU_SDPASINGLE_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// Attention where a batch row has one query, as in a step of generation. With
/// queries as lanes all but one of them would be idle, so keys are the lanes of
/// scores and columns those of products and sums; rows are read where they lie.
class SdpaSingle {
public:
  /// Tells whether such calls may come and their form is one of those that it
  /// has: others go the way of many queries.
  static bool takes(block::SdpaOp op);

  explicit SdpaSingle(const SdpaFrame &sdpa);

  void emitHead(const SdpaHead &head);

private:
  void loadQuery(const SdpaHead &head);
  void multiplyKeys(const SdpaHead &head, const SdpaKeys &keys);
  Value finishScores(const SdpaHead &head, const SdpaKeys &keys, Value slope);
  Value createWeights(const SdpaKeys &keys, Value largest);
  void addValues(const SdpaHead &head, const SdpaKeys &keys, Value correction);
  void storeResult(const SdpaHead &head, Value total);
  /// Calls `body` for each vector of keys, with the lanes that have one.
  Values forLanes(
      const SdpaKeys &keys, Value initial,
      llvm::function_ref<Value(Value at, Value isThere, Value)> body) const;

  const SdpaFrame &sdpa;
  Code &code;
  /// The query and the sums of values, [element], and scores or weights of a
  /// block, [key].
  Value query, sums, weights;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_SDPASINGLE_H
