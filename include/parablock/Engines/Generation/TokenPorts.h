//===- TokenPorts.h - arguments of functions with caches --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_TOKENPORTS_H
#define PARABLOCK_GENERATION_TOKENPORTS_H

#include "parablock/Execution/Signature.h"
#include <optional>

namespace parablock::generation {

/// Keys or values of one attention, [batch, rows, width], or in pages [pool,
/// page rows, width].
struct CachePort {
  /// Positions of the argument and of the result.
  unsigned argument = 0, result = 0;
  int64_t width = 0;
  ElementType type = ElementType::F32;
  /// Number of preceding tokens that are read, if not all.
  std::optional<int64_t> window;
};

/// Positions of a function's arguments and results, by role.
struct TokenPorts {
  unsigned ids = 0, pastLengths = 0, starts = 0, keptRows = 0, logits = 0;
  std::vector<CachePort> caches;
  /// The table of pages and the rows of a page, of paged caches.
  std::optional<unsigned> pages;
  int64_t pageRows = 0;
  int64_t vocabulary = 0;
  ElementType logitsType = ElementType::F32;
  size_t numArguments = 0, numResults = 0;
};

/// Reads the ports of a function. Fails with the missing or extra port if
/// block-add-caches did not make it, or if its rows or tokens are fixed.
llvm::Expected<TokenPorts>
findTokenPorts(llvm::ArrayRef<runner::Argument> arguments,
               llvm::ArrayRef<runner::Port> results);

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_TOKENPORTS_H
