//===- CacheLimits.h - limits of caches -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_CACHELIMITS_H
#define PARABLOCK_EXECUTION_CACHELIMITS_H

#include "parablock/Execution/InputFacts.h"
#include "parablock/Support/CacheRoom.h"

namespace parablock::runner {

/// A cache that some attention reads.
struct CacheLimit {
  InputSize capacity;
  /// Number of keys that a query reads, if not all.
  std::optional<int64_t> window;
};

/// A table of the pages of caches.
struct TableLimit {
  unsigned argument;
  std::string name;
  /// Rows of a page.
  int64_t pageRows;
  /// Number of keys that a query reads, if not all.
  std::optional<int64_t> window;
  /// Pages of every pool that uses the table.
  std::vector<InputSize> pages;
};

/// The values that `past_lengths` and `starts` may have, for a function with
/// caches. The first may be one number for all batch rows.
struct CacheLimits {
  unsigned pastLengths;
  /// The name of that argument.
  std::string name;
  std::optional<unsigned> starts;
  /// Tokens of a call.
  InputSize tokens;
  std::vector<CacheLimit> caches;
  std::vector<TableLimit> tables;
  /// Number of positions, if the model has learned ones.
  std::optional<int64_t> positions;
  /// True if padding in front has positions.
  bool countsPadding = false;

  /// Returns the largest number of rows that caches may hold before a call.
  int64_t getMostPast(llvm::ArrayRef<Shape> shapes) const;

  /// Returns the largest number of keys that a query reads of paged caches, if
  /// no attention reads all.
  std::optional<int64_t> findTableWindow() const;

  /// Returns the limits of a call.
  CacheRoom evaluate(llvm::ArrayRef<Shape> shapes) const;

  /// Fails if a cache would lose a key that is read, or a token would have no
  /// position. `room` belongs to these shapes, `getValue` returns an element of
  /// an argument.
  llvm::Error check(
      const CacheRoom &room, llvm::ArrayRef<Shape> shapes,
      llvm::function_ref<int64_t(unsigned argument, size_t at)> getValue) const;
};

/// Returns the limits; none unless an attention has a cache whose length is an
/// input.
std::optional<CacheLimits> collectCacheLimits(const Signature &signature);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_CACHELIMITS_H
