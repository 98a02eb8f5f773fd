//===- SdpaSizes.h - the sizes of one attention -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_SDPASIZES_H
#define PARABLOCK_LIB_REFERENCE_SDPASIZES_H

#include "Scores.h"
#include "Steps.h"

namespace parablock::reference {

struct SdpaSizes {
  int64_t batch, queries, past;
  /// Past and new ones.
  int64_t keys;
  int64_t heads, kvHeads, headSize, valueSize;

  int64_t getKvHead(int64_t head) const { return head / (heads / kvHeads); }
};

/// The sizes that all operands agree on, or a diagnostic where they do not, or
/// where a length or a table of buckets makes no sense.
mlir::FailureOr<SdpaSizes> checkSdpa(Evaluation &at,
                                     const SdpaOperands &operands);

/// The keys that the query at `position` of a batch row may see.
KeyRange getKeys(const SdpaOperands &in, const SdpaSizes &sizes, int64_t batch,
                 int64_t position);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_SDPASIZES_H
