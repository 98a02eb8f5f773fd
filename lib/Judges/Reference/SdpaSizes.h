//===- SdpaSizes.h - the sizes of one attention -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_SDPASIZES_H
#define PARABLOCK_LIB_REFERENCE_SDPASIZES_H

#include "Scores.h"
#include "Steps.h"

namespace parablock::reference {

struct SdpaSizes {
  int64_t batch, queries;
  /// Past keys, of caches the most that a batch row has.
  int64_t past;
  /// Past and new ones.
  int64_t keys;
  int64_t heads, kvHeads, headSize, valueSize;

  int64_t getKvHead(int64_t head) const { return head / (heads / kvHeads); }
  /// The position of a batch row's first query.
  int64_t getPast(const SdpaOperands &in, int64_t batch) const {
    return in.pastLengths ? static_cast<int64_t>(in.pastLengths->data()[batch])
                          : past;
  }
};

/// Returns the sizes on which all operands agree, or emits a diagnostic if they
/// do not, or if a length or a table of buckets is invalid.
mlir::FailureOr<SdpaSizes> checkSdpa(Evaluation &at,
                                     const SdpaOperands &operands);

/// Returns the first key of the sequence of a query at `position` of a batch
/// row.
int64_t getFirstKey(const SdpaOperands &in, const SdpaSizes &sizes,
                    int64_t batch, int64_t position);

/// The keys that the query at `position` of a batch row may see.
KeyRange getKeys(const SdpaOperands &in, const SdpaSizes &sizes, int64_t batch,
                 int64_t position);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_SDPASIZES_H
