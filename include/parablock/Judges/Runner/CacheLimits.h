//===- CacheLimits.h - what fits into caches --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_CACHELIMITS_H
#define PARABLOCK_RUNNER_CACHELIMITS_H

#include "parablock/Judges/Runner/InputFacts.h"
#include "parablock/Support/CacheRoom.h"

namespace parablock::runner {

/// A cache that some attention looks at.
struct CacheLimit {
  InputSize capacity;
  /// How many keys a query sees, where not all.
  std::optional<int64_t> window;
};

/// A table of the pages that caches lie in.
struct TableLimit {
  unsigned argument;
  std::string name;
  /// Rows of a page.
  int64_t pageRows;
  /// How many keys a query sees, where not all.
  std::optional<int64_t> window;
  /// Pages of every pool that the table is of.
  std::vector<InputSize> pages;
};

/// The numbers that `past_lengths` and `starts` may be, of a function with
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
  /// Positions that there are, where the model has learned them.
  std::optional<int64_t> positions;
  /// Truth of: padding in front counts among them.
  bool countsPadding = false;

  /// The most rows that caches may hold before a call.
  int64_t getMostPast(llvm::ArrayRef<Shape> shapes) const;

  /// How many keys a query sees of caches in pages: the most of all attentions,
  /// where none of them sees all.
  std::optional<int64_t> findTableWindow() const;

  /// Gives the limits of a call.
  CacheRoom evaluate(llvm::ArrayRef<Shape> shapes) const;

  /// Fails, with an error, where a cache would lose a key that is seen, or a
  /// token would have no position. `room` is that of these shapes, `getValue`
  /// gives an element of an argument.
  llvm::Error check(
      const CacheRoom &room, llvm::ArrayRef<Shape> shapes,
      llvm::function_ref<int64_t(unsigned argument, size_t at)> getValue) const;
};

/// None where no attention has a cache whose length is an input.
std::optional<CacheLimits> collectCacheLimits(const Signature &signature);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_CACHELIMITS_H
