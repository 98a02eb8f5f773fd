//===- AlibiSlopes.h - the slopes of ALiBi's heads --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_ALIBISLOPES_H
#define PARABLOCK_ANALYSIS_ALIBISLOPES_H

#include "parablock/IR/BlockAttrs.h"
#include "llvm/ADT/SmallVector.h"

namespace parablock {

/// One per head, by `alibi_max` of `scores`: the `k`-th, from 1, is
/// `2^(-maximum k / power)`; where heads are no power of two, even `k` come
/// first.
llvm::SmallVector<float> computeAlibiSlopes(int64_t heads,
                                            block::ScoresAttr scores);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_ALIBISLOPES_H
