//===- AllowedPairs.h - how many keys the queries see -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H
#define PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H

#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock {

/// How many (query, key) pairs of one batch row `scores` allows, padding
/// aside. The last `queries` of the `keys` positions are those of the queries;
/// in a cross-attention, where all keys are allowed, that does not matter.
/// In double, as the past and the new keys together may be more than int64_t
/// holds.
double countAllowedPairs(block::ScoresAttr scores, double queries, double keys);

} // namespace parablock

#endif // PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H
