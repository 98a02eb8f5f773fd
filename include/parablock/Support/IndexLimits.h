//===- IndexLimits.h - limits of integer inputs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled code uses ids and lengths as indices without checks, so hosts check
// each of them first. Requires only the standard library, because the launcher,
// which links no LLVM, checks them, too.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_INDEXLIMITS_H
#define PARABLOCK_SUPPORT_INDEXLIMITS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parablock {

struct IndexLimit {
  enum Kind {
    /// Ids of rows in a table of `size` rows.
    Rows,
    /// Counts of tokens, at most `size`.
    Tokens,
    /// Beginnings of sequences packed in one row of `size` tokens, and the end:
    /// they start at 0 and never decrease.
    Bounds,
    /// Ids whose positions in their sequence are rows of a table of `size`
    /// rows.
    Positions
  } kind = Rows;
  int64_t size = 0;
  /// For Positions: the position of the first token, and the id that has no
  /// position, if such ids are not counted.
  int64_t firstPosition = 0;
  std::optional<int64_t> padId;
  /// For Rows: an additional id that selects no row.
  std::optional<int64_t> ignored;
  /// For Rows: ids from -size to -1 count from the end.
  bool countsFromEnd = false;
};

/// Returns the error in the shape of an input, or
/// none.
std::optional<std::string> checkIndexShape(const IndexLimit &limit,
                                           const std::string &name,
                                           const std::vector<int64_t> &shape);

/// Returns the error in an input's values, with its index, or none; `getValue`
/// returns the values in order.
std::optional<std::string>
checkIndices(const IndexLimit &limit, const std::string &name,
             const std::vector<int64_t> &shape,
             const std::function<int64_t(size_t)> &getValue);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_INDEXLIMITS_H
