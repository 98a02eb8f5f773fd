//===- ScoreBuckets.cpp - buckets of relative positions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ScoreBuckets.h"

#include <algorithm>
#include <cmath>

using namespace parablock;
using llvm::SmallVector;

SmallVector<int64_t> parablock::computeBuckets(block::BucketsAttr form,
                                               int64_t rows) {
  bool bidirectional = form.getBidirectional();
  int64_t count = bidirectional ? rows / 2 : rows;
  int64_t exact = count / 2;
  // In f32: at the edges of buckets the last bit of the quotient decides.
  auto logarithm = [exact](int64_t x) {
    return std::log(static_cast<float>(x) / static_cast<float>(exact));
  };
  SmallVector<int64_t> buckets;
  int64_t reach = form.getMaxDistance();
  for (int64_t distance = -reach; distance <= reach; ++distance) {
    int64_t first = bidirectional && distance < 0 ? count : 0;
    int64_t x =
        bidirectional ? std::abs(distance) : std::max<int64_t>(distance, 0);
    if (x >= exact) {
      float further =
          logarithm(x) / logarithm(reach) * static_cast<float>(count - exact);
      x = std::min(count - 1, exact + static_cast<int64_t>(further));
    }
    buckets.push_back(first + x);
  }
  return buckets;
}
