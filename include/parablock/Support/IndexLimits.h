//===- IndexLimits.h - what integer inputs may be ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled code uses ids and lengths as indices, whatever they are, so hosts
// look at each of them first. Needs nothing but the standard library: the
// launcher, which links no LLVM, looks, too.
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
    /// Counts of tokens, of which there are `size`.
    Tokens,
    /// Where sequences that share one row of `size` tokens begin, and the end:
    /// they start at 0 and never fall.
    Bounds,
    /// Ids whose places in their sequence are rows of a table of `size` rows.
    Positions
  } kind = Rows;
  int64_t size = 0;
  /// For Positions: the position of the first token, and the id that has none
  /// of its own, where such ids are not counted.
  int64_t firstPosition = 0;
  std::optional<int64_t> padId;
  /// For Rows: an id beside those that stands for no row.
  std::optional<int64_t> ignored;
  /// For Rows: ids from -size to -1 count from the end.
  bool countsFromEnd = false;
};

/// Finds what is wrong with an input of this shape, whatever its values; or
/// nothing.
std::optional<std::string> checkIndexShape(const IndexLimit &limit,
                                           const std::string &name,
                                           const std::vector<int64_t> &shape);

/// The same of its values, which `getValue` gives in order; it says which one.
std::optional<std::string>
checkIndices(const IndexLimit &limit, const std::string &name,
             const std::vector<int64_t> &shape,
             const std::function<int64_t(size_t)> &getValue);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_INDEXLIMITS_H
