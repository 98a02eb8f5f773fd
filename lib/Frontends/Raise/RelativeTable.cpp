//===- RelativeTable.cpp - biases by bucketed distance --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RelativeTable.h"

#include "parablock/Analysis/ScoreTables.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

std::optional<RelativeTable>
parablock::raise::matchRelativeTable(const Term &bias, const Layout &order,
                                     int64_t heads, int64_t queries,
                                     int64_t keys) {
  const Node *gather = bias.node;
  if (gather->op != Kind::Gather || gather->width != heads ||
      gather->operands[1].node->source != Source::Constant)
    return std::nullopt;
  Term table = gather->operands[0];
  int64_t rows = table.getSize() / heads;
  // The bucket of every query and key, the same for all heads.
  std::vector<int64_t> buckets;
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j)
      for (int64_t h = 0; h < heads; ++h) {
        int64_t element = order.at((h * queries + i) * keys + j);
        std::optional<double> bucket =
            evaluateAt(gather->operands[1], element / heads);
        if (!bucket || element % heads != h ||
            (h > 0 && buckets.back() != *bucket))
          return std::nullopt;
        if (h == 0)
          buckets.push_back(static_cast<int64_t>(*bucket));
      }
  for (bool bidirectional : {false, true})
    for (int64_t most : {128, 32, 64, 256, 512, 1024, 2048}) {
      bool fits = true;
      for (int64_t i = 0; i < queries && fits; ++i)
        for (int64_t j = 0; j < keys && fits; ++j)
          fits = buckets[i * keys + j] ==
                 parablock::computeBucket(i - j, rows, most, bidirectional);
      if (fits)
        return RelativeTable{table, most, bidirectional, false};
    }
  return std::nullopt;
}
