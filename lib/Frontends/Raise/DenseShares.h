//===- DenseShares.h - dense shares of experts ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_DENSESHARES_H
#define PARABLOCK_LIB_RAISE_DENSESHARES_H

#include "Graph.h"
#include <optional>

namespace parablock::raise {

/// Dense shares: weights of all experts [rows, experts], 0 except where an
/// expert is chosen.
struct DenseShares {
  /// Both [rows, slots].
  Term choice, values;
  int64_t rows, experts, slots;
  /// The element of [rows, experts] that each element of the node is.
  Layout place;
  /// The number of the expert, of one alone.
  std::optional<int64_t> number = std::nullopt;
};

/// Returns the choice and the weights that the dense shares in `node` are
/// scattered from.
std::optional<DenseShares> readDenseShares(Graph &graph, const Node *node);

/// Returns the dense shares that the rows of a projection are multiplied by, at
/// the positions of its result, or a null term.
Term findDenseShares(Graph &graph, const Term &projection);

/// Removes the dense shares in `node` from rows that a projection reads.
/// Returns these shares, or a null term if the rows have none.
Term removeDenseShares(Graph &graph, Term &rows, const Node *node);

/// Takes weights of the chosen experts off `x`, rows that a projection reads;
/// `row` and `slot` have those of each position. Returns weights [rows, slots],
/// or a null term.
Term takeRowShares(Graph &graph, Term &x, std::optional<Layout> row,
                   std::optional<Layout> slot, const Term &choice);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_DENSESHARES_H
