//===- TokenStatisticsTest.cpp - statistics of tokens, and hashes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TokenStatistics.h"
#include "Hashing.h"
#include "llvm/ADT/Sequence.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;

TEST(TokenStatisticsTest, OfAHundredTokensOneIsAboveTheP99) {
  TokenStatistics statistics;
  EXPECT_EQ(statistics.getP99(), 0);
  statistics.add(7);
  EXPECT_EQ(statistics.getP99(), 7);
  TokenStatistics hundred;
  for (int value : llvm::seq(100))
    hundred.add(99 - value);
  EXPECT_EQ(hundred.getP99(), 98);
  EXPECT_EQ(hundred.getMax(), 99);
  EXPECT_EQ(hundred.getMean(), 49.5);
  TokenStatistics more = hundred;
  for (int value : llvm::seq(900))
    more.add(-value);
  EXPECT_EQ(more.getP99(), 89) << "ten of a thousand are above it";
  hundred.append(statistics);
  EXPECT_EQ(hundred.getMean(), 4957 / 101.0);
}

TEST(TokenStatisticsTest, RowsAreCompared) {
  RowComparison rows = compareRows({3, 4}, {4, 3});
  EXPECT_EQ(rows.aNorm, 5);
  EXPECT_EQ(rows.bNorm, 5);
  EXPECT_DOUBLE_EQ(rows.difference, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(rows.cosine, 24 / 25.0);
  EXPECT_EQ(compareRows({0, 0}, {0, 0}).cosine, 1);
  EXPECT_EQ(compareRows({0, 0}, {1, 0}).cosine, 0);
  EXPECT_EQ(getRatio(0, 0), 0);
  EXPECT_EQ(getRatio(1, 4), 0.25);
}

/// The hash of one tensor.
static std::string hash(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                        std::vector<double> values) {
  ContentHash content;
  content.add(name, makeTensor(ElementType::F32, shape, std::move(values)));
  return content.finish();
}

TEST(ContentHashTest, NamesShapesAndValuesCount) {
  std::string own = hash("a", {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(own, hash("a", {2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(own.size(), 7 + 64u);
  EXPECT_TRUE(llvm::StringRef(own).starts_with("sha256:"));
  EXPECT_NE(own, hash("b", {2, 3}, {1, 2, 3, 4, 5, 6})) << "a name";
  EXPECT_NE(own, hash("a", {3, 2}, {1, 2, 3, 4, 5, 6})) << "a shape";
  EXPECT_NE(own, hash("a", {6}, {1, 2, 3, 4, 5, 6})) << "a rank";
  EXPECT_NE(own, hash("a", {2, 3}, {1, 2, 3, 4, 6, 5})) << "an order";
  EXPECT_NE(hash("a", {1}, {0.0}), hash("a", {1}, {-0.0})) << "a sign of 0";
}
