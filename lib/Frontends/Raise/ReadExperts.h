//===- ReadExperts.h - experts as sums of products --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_READEXPERTS_H
#define PARABLOCK_LIB_RAISE_READEXPERTS_H

#include "Graph.h"
#include <optional>

namespace parablock::raise {

/// A projection by the matrix of each expert.
struct ExpertProjection {
  /// [experts, depth, input], and [experts, depth] or null.
  Term stack, bias;
};

/// The sum of the chosen experts of each row.
struct Experts {
  /// [rows, input], and both [rows, slots].
  Term input, choice, shares;
  /// The gate is null where there is none.
  ExpertProjection gate, up;
  /// [experts, width, depth], and [experts, width] or null.
  Term down, downBias;
  mlir::Attribute activation;
  /// The bound of gate and up, or 0, and what is added to up.
  double limit = 0, upOffset = 0;
  int64_t rows = 1, experts = 1, depth = 1, width = 1;
  /// The number of the expert, of one alone.
  std::optional<int64_t> number;
  /// True where matrices are read by the choice.
  bool isGathered = false;
  /// True where weights multiply the rows that experts read.
  bool weighsInput = false;
  /// The element of [rows, width] that each element of the sum is.
  Layout back;
};

/// Returns the experts that `term` is a sum of.
std::optional<Experts> readExperts(Graph &graph, const Term &term);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_READEXPERTS_H
