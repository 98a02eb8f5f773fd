//===- AllowedPairs.h - counts of allowed score pairs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H
#define PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H

#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock {

/// Counts the (query, key) pairs of one batch row that `scores` allows,
/// ignoring padding. Queries are at the last `queries` of the `keys`
/// positions; a cross-attention allows all keys, so positions do not
/// matter. In double, since past and new keys together may exceed
/// int64_t.
double countAllowedPairs(block::ScoresAttr scores, double queries, double keys);

} // namespace parablock

#endif // PARABLOCK_LIB_ANALYSIS_ALLOWEDPAIRS_H
