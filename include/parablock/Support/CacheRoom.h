//===- CacheRoom.h - what fits into caches ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many rows caches hold, and how much of that is padding, are inputs that
// compiled code believes, so hosts look at them first. Needs nothing but the
// standard library, as IndexLimits.h does.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_CACHEROOM_H
#define PARABLOCK_SUPPORT_CACHEROOM_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parablock {

/// The limits of one call.
struct CacheRoom {
  struct Cache {
    /// Rows of each batch row, and how many keys a query sees, where not all.
    int64_t capacity;
    std::optional<int64_t> window;
  };

  /// A table of the pages that caches of a batch row lie in.
  struct Table {
    /// The input that it is.
    std::string name;
    /// Rows of a page.
    int64_t pageRows;
    /// How many keys a query sees, where not all.
    std::optional<int64_t> window;
    /// Entries of a batch row, and pages that there are.
    int64_t entries = 0, pages = 0;
  };

  /// The input that says how many rows are held.
  std::string pastName = "past_lengths";
  /// Tokens of the call.
  int64_t tokens = 0;
  std::vector<Cache> caches;
  std::vector<Table> tables;
  /// Positions that there are, where the model has learned them.
  std::optional<int64_t> positions;
  /// Truth of: padding in front counts among them.
  bool countsPadding = false;

  /// Finds what is wrong with the inputs `pastName` and `starts` of `rows`
  /// batch rows, of which a cache would lose a key that is seen, or a token
  /// would have no position or no page; or nothing. `getStart` is null where
  /// there are none, `getPage` gives an entry of a table.
  std::optional<std::string>
  check(int64_t rows, const std::function<int64_t(size_t)> &getPast,
        const std::function<int64_t(size_t)> &getStart,
        const std::function<int64_t(size_t table, size_t at)> &getPage) const;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CACHEROOM_H
