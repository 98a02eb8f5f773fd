//===- AllowedPairs.cpp - how many keys the queries see -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AllowedPairs.h"

#include <algorithm>

using namespace parablock;

/// The sum of min(n, limit) for n = 1..count.
static double sumLimited(double count, double limit) {
  double rising = std::min(count, limit);
  return rising * (rising + 1) / 2 + (count - rising) * limit;
}

double parablock::countAllowedPairs(block::ScoresAttr scores, int64_t queries,
                                    int64_t keys) {
  double past = static_cast<double>(std::max<int64_t>(keys - queries, 0));
  double window = static_cast<double>(scores.getWindow().value_or(keys));
  // Keys up to the query itself: n of them, for n = past + 1..keys.
  double before = sumLimited(keys, window) - sumLimited(past, window);
  if (scores.getCausal())
    return before;
  if (!scores.getWindow())
    return static_cast<double>(queries) * static_cast<double>(keys);
  // Keys after it: n of them, for n = 0..queries - 1, without the query.
  return before + sumLimited(queries - 1, window - 1);
}
