//===- SdpaCaches.h - caches in attention -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SDPACACHES_H
#define PARABLOCK_LIB_RAISE_SDPACACHES_H

#include "Graph.h"

namespace parablock::raise {

/// Returns true for a single integer that an argument contains, at any reader.
bool isCount(const Term &term);

/// Returns whether a condition over batch rows, queries and keys selects
/// exactly the keys written up to a query's own: `count` tokens were there
/// before.
bool hidesUnwritten(Graph &graph, const Term &condition, bool hidesWhere,
                    const Node *count, int64_t queries, int64_t keys);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SDPACACHES_H
