//===- CacheRoom.h - checks of cache sizes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled code trusts the inputs that count rows of caches and their padding,
// so hosts check them first. Requires only the standard library, like
// IndexLimits.h.
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
    /// Rows of each batch row, and the number of keys that a query reads, if
    /// not all.
    int64_t capacity;
    std::optional<int64_t> window;
  };

  /// A table of the pages of a batch row's caches.
  struct Table {
    /// The input that it is.
    std::string name;
    /// Rows of a page.
    int64_t pageRows;
    /// Number of keys that a query reads, if not all.
    std::optional<int64_t> window;
    /// Entries of a batch row, and number of pages.
    int64_t entries = 0, pages = 0;
  };

  /// The input with the number of rows held.
  std::string pastName = "past_lengths";
  /// Tokens of the call.
  int64_t tokens = 0;
  std::vector<Cache> caches;
  std::vector<Table> tables;
  /// Number of positions, if the model has learned ones.
  std::optional<int64_t> positions;
  /// True if padding in front has positions.
  bool countsPadding = false;

  /// Returns the error in the inputs `pastName` and `starts` of `rows` batch
  /// rows, if a cache would lose a key that is read, or a token would have no
  /// position or page; otherwise none. `getStart` is null without `starts`,
  /// `getPage` returns an entry of a table.
  std::optional<std::string>
  check(int64_t rows, const std::function<int64_t(size_t)> &getPast,
        const std::function<int64_t(size_t)> &getStart,
        const std::function<int64_t(size_t table, size_t at)> &getPage) const;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CACHEROOM_H
