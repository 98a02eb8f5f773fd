//===- RelativeTable.h - tables of relative biases --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_RELATIVETABLE_H
#define PARABLOCK_LIB_RAISE_RELATIVETABLE_H

#include "Graph.h"

namespace parablock::raise {

/// T5's bias: a table [buckets, heads] that is read at the bucket of a
/// distance.
struct RelativeTable {
  Term table;
  int64_t maxDistance = 0;
  bool bidirectional = false;
  bool beforeScale = false;
};

/// `order` reads `bias` over heads, queries and keys; `isOpen` allows for
/// larger sizes.
std::optional<RelativeTable> matchRelativeTable(const Term &bias,
                                                const Layout &order,
                                                int64_t heads, int64_t queries,
                                                int64_t keys, bool isOpen);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_RELATIVETABLE_H
