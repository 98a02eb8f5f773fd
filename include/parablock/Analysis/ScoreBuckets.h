//===- ScoreBuckets.h - buckets of relative positions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_SCOREBUCKETS_H
#define PARABLOCK_ANALYSIS_SCOREBUCKETS_H

#include "parablock/IR/BlockAttrs.h"
#include "llvm/ADT/SmallVector.h"

namespace parablock {

/// The rows of a table of `rows` rows for the distances, query less key, from
/// `-form.getMaxDistance()` to it; beyond, the last ones hold.
llvm::SmallVector<int64_t> computeBuckets(block::BucketsAttr form,
                                          int64_t rows);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_SCOREBUCKETS_H
