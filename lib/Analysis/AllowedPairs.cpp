//===- AllowedPairs.cpp - counts score pairs with masks and windows -------===//
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

double parablock::countAllowedPairs(block::ScoresAttr scores, double queries,
                                    double keys) {
  double past = std::max(keys - queries, 0.0);
  double window =
      scores.getWindow() ? static_cast<double>(*scores.getWindow()) : keys;
  // Keys up to the query itself: n of them, for n = past + 1..keys.
  double before = sumLimited(keys, window) - sumLimited(past, window);
  if (scores.getCausal())
    return before;
  if (!scores.getWindow())
    return queries * keys;
  // Keys after it: n of them, for n = 0..queries - 1, without the query.
  return before + sumLimited(queries - 1, window - 1);
}
