//===- CacheRoom.cpp - what fits into caches ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/CacheRoom.h"

#include <algorithm>
#include <limits>

using namespace parablock;

static std::string formatFault(const std::string &name, size_t row,
                               const std::string &wanted, int64_t got) {
  return "input '" + name + "': expected " + wanted + ", got " +
         std::to_string(got) + " at [" + std::to_string(row) + "]";
}

/// Tells whether a cache still has all that these tokens see.
static bool holds(const CacheRoom::Cache &cache, int64_t tokens, int64_t past,
                  int64_t start) {
  int64_t end = past + tokens;
  // The first key that the first query that is a token sees.
  int64_t query = std::max(past, start);
  int64_t first =
      cache.window ? std::max(start, query - *cache.window + 1) : start;
  return tokens <= cache.capacity &&
         (query >= end || first >= end - cache.capacity);
}

std::optional<std::string>
CacheRoom::check(int64_t rows, const std::function<int64_t(size_t)> &getPast,
                 const std::function<int64_t(size_t)> &getStart) const {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
    int64_t past = getPast(row), start = getStart ? getStart(row) : 0;
    if (past < 0 || past > most)
      return formatFault(pastName, row, "numbers from 0 to 2^31 - 1", past);
    // Padding may go on behind these tokens.
    if (start < 0 || start > most)
      return formatFault("starts", row, "numbers from 0 to 2^31 - 1", start);
    for (const Cache &cache : caches)
      if (!holds(cache, tokens, past, start))
        return formatFault(pastName, row,
                           "room for " + std::to_string(tokens) +
                               " tokens in a cache of " +
                               std::to_string(cache.capacity) + " rows",
                           past);
    int64_t end = past + tokens, used = countsPadding ? end : end - start;
    if (positions && used > *positions)
      return formatFault(pastName, row,
                         "at most " + std::to_string(*positions) +
                             " positions, for " + std::to_string(used) +
                             " tokens",
                         past);
  }
  return std::nullopt;
}
