//===- TokenPorts.h - arguments of functions with caches --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_TOKENPORTS_H
#define PARABLOCK_GENERATION_TOKENPORTS_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <vector>

namespace parablock::generation {

using files::fail;
using files::Status;

/// An argument or result of a function, from IR or a manifest.
struct PortFacts {
  /// `type` is a keyword of IR: "bf16", "i64".
  std::string name, type;
  /// Sizes; -1 for an open one, which has a name in `dims`.
  std::vector<int64_t> shape;
  std::vector<std::string> dims;
  bool isParameter = false;
};

/// Keys or values of one attention, [batch, rows, width], or in pages [pool,
/// page rows, width].
struct CachePort {
  /// Positions of the argument and of the result.
  unsigned argument = 0, result = 0;
  int64_t width = 0;
  std::string type = "f32";
  /// Number of preceding tokens that are read, if not all.
  std::optional<int64_t> window;

  int64_t getRowBytes() const;
};

/// Ports of a function that chooses tokens itself (block.sample). An input
/// past_X and the result X are state, which such a function moves in place.
struct ChoicePorts {
  unsigned sampling = 0, random = 0, stops = 0, padding = 0;
  unsigned pastSeen = 0, pastEnded = 0, pastStep = 0;
  unsigned tokens = 0, seen = 0, ended = 0, lengths = 0, step = 0;
};

/// Positions of a function's arguments and results, by role.
struct TokenPorts {
  unsigned ids = 0, pastLengths = 0, starts = 0, keptRows = 0, logits = 0;
  std::vector<CachePort> caches;
  /// The table of pages and the rows of a page, of paged caches.
  std::optional<unsigned> pages;
  int64_t pageRows = 0;
  int64_t vocabulary = 0;
  std::string logitsType = "f32";
  /// Ports of the choice of tokens, if the function chooses them.
  std::optional<ChoicePorts> choice;
  size_t numArguments = 0, numResults = 0;
};

/// Finds the ports of a function. Fails with the missing or extra port if
/// block-add-caches did not make it, or if its rows or tokens are fixed.
Status findTokenPorts(const std::vector<PortFacts> &arguments,
                      const std::vector<PortFacts> &results, TokenPorts &ports);

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_TOKENPORTS_H
