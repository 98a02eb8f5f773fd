//===- RelativeTable.cpp - recovers a table from score biases -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RelativeTable.h"

#include "parablock/Analysis/ScoreTables.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

/// The distances up to which most models have buckets; the last one is an upper
/// bound.
static constexpr int64_t kUsualDistances[] = {128, 32,   64,  256,
                                              512, 1024, 2048};

/// Returns the bucket of each of `count` distances, from the shortest; none if
/// it depends on more than the distance.
static std::optional<std::vector<int64_t>>
sortByDistance(ArrayRef<int64_t> buckets, int64_t queries, int64_t keys) {
  std::vector<int64_t> sorted(queries + keys - 1, -1);
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      int64_t &known = sorted[i - j + keys - 1], own = buckets[i * keys + j];
      if (known >= 0 && known != own)
        return std::nullopt;
      known = own;
    }
  return sorted;
}

std::optional<RelativeTable>
parablock::raise::matchRelativeTable(const Term &bias, const Layout &order,
                                     int64_t heads, int64_t queries,
                                     int64_t keys, bool isOpen) {
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
  std::optional<std::vector<int64_t>> sorted =
      sortByDistance(buckets, queries, keys);
  if (!sorted)
    return std::nullopt;
  auto fits = [&](int64_t most, bool bidirectional) {
    return llvm::all_of(llvm::enumerate(*sorted), [&](auto each) {
      auto distance = static_cast<int64_t>(each.index()) - keys + 1;
      return static_cast<int64_t>(each.value()) ==
             parablock::computeBucket(distance, rows, most, bidirectional);
    });
  };
  for (bool bidirectional : {false, true})
    for (int64_t most : kUsualDistances)
      if (fits(most, bidirectional))
        return RelativeTable{table, most, bidirectional, false};
  for (bool bidirectional : {false, true})
    for (int64_t most = rows / (bidirectional ? 4 : 2) + 1;
         most < *std::prev(std::end(kUsualDistances)); ++most)
      // For other sizes only a visible end is known.
      if ((!isOpen || most < std::min(queries, keys)) &&
          fits(most, bidirectional))
        return RelativeTable{table, most, bidirectional, false};
  return std::nullopt;
}
