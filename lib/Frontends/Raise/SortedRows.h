//===- SortedRows.h - rows in the order of their groups ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SORTEDROWS_H
#define PARABLOCK_LIB_RAISE_SORTEDROWS_H

#include "Graph.h"

namespace parablock::raise {

/// Returns the positions of `keys` from the smallest to the largest, of equal
/// ones the first.
Term makeOrder(Graph &graph, const Term &keys);

/// Returns the inverse of an Order.
Term invertOrder(Graph &graph, const Node *order);

/// Returns the order that `term` is, if it has all its elements in sequence.
const Node *getOrder(const Term &term);

/// Returns whether `term` has numbers of a table in an order.
bool isSorted(const Term &term);

/// Returns `term` with position `order[s]` in the place of `s`, where `rows`
/// numbers the positions of the order that `term` is read at. A null term if it
/// depends on them in another way than row by row.
Term unsort(Graph &graph, const Node *order, const Term &term,
            const Layout &rows);

/// Returns the order that `term` reads a table by, or null.
const Node *findOrder(const Term &term, int64_t size);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SORTEDROWS_H
