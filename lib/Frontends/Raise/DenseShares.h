//===- DenseShares.h - weights of all experts -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_DENSESHARES_H
#define PARABLOCK_LIB_RAISE_DENSESHARES_H

#include "Graph.h"
#include <optional>

namespace parablock::raise {

/// Weights [rows, experts] that are 0 but where an expert is chosen.
struct DenseShares {
  /// Both [rows, slots].
  Term choice, values;
  int64_t rows, experts, slots;
};

/// Returns what the elements of `node` are scattered from.
std::optional<DenseShares> readDenseShares(Graph &graph, const Node *node);

/// Returns the weights of all experts that the rows of a projection are
/// multiplied by, at the positions of its result, or a null term.
Term findInputShares(Graph &graph, const Term &projection);

/// Takes the weights in `node` off rows that a projection reads. Returns these
/// weights, or a null term if the rows have none.
Term takeInputShares(Graph &graph, Term &rows, const Node *node);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_DENSESHARES_H
