//===- AlibiSlopes.cpp - the slopes of ALiBi's heads ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/AlibiSlopes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace parablock;

llvm::SmallVector<float>
parablock::computeAlibiSlopes(int64_t heads, block::ScoresAttr scores) {
  int64_t power = llvm::PowerOf2Ceil(heads);
  llvm::SmallVector<int64_t> order;
  for (int64_t k = 1; k <= power; ++k)
    order.push_back(k);
  if (power != heads)
    llvm::stable_sort(order,
                      [](int64_t a, int64_t b) { return a % 2 < b % 2; });
  order.truncate(heads);
  double maximum = scores.getAlibiMax().getValueAsDouble();
  return llvm::map_to_vector(order, [&](int64_t k) {
    return static_cast<float>(std::exp2(-maximum * static_cast<double>(k) /
                                        static_cast<double>(power)));
  });
}
