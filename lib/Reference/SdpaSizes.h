//===- SdpaSizes.h - the sizes of one attention -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_SDPASIZES_H
#define PARABLOCK_LIB_REFERENCE_SDPASIZES_H

#include "Steps.h"

namespace parablock::reference {

struct SdpaSizes {
  int64_t batch, queries, past;
  /// Past and new ones.
  int64_t keys;
  int64_t heads, kvHeads, headSize, valueSize;

  int64_t getKvHead(int64_t head) const { return head / (heads / kvHeads); }
};

/// The sizes that all operands agree on, or a diagnostic; see SDPA-1 to SDPA-9
/// and the range of `lengths`.
mlir::FailureOr<SdpaSizes> checkSdpa(Evaluation &at,
                                     const SdpaOperands &operands);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_SDPASIZES_H
