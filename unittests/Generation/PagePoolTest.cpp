//===- PagePoolTest.cpp - pages that are taken and given back -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/PagePool.h"
#include "Failures.h"
#include "gtest/gtest.h"
#include <set>

using namespace parablock;
using namespace parablock::generation;
using parablock::unittest::FailsWith;

namespace {
class PagePoolTest : public testing::Test {
protected:
  PagePool make(int64_t expected) {
    return PagePool(
        host, {{4, 1, 3, "f32", std::nullopt}, {5, 2, 1, "bf16", std::nullopt}},
        {pageRows, starts, window, most}, expected);
  }

  /// The pages of the first `count` tokens of a row from token `first` on.
  std::vector<int64_t> list(const PagePool &pool, size_t row, int64_t first,
                            int64_t count) {
    const ParablockTensor &table = *pool.getTable();
    const int64_t *own =
        static_cast<const int64_t *>(table.data) + row * table.shape[1];
    return {own + first / pageRows, own + (count + pageRows - 1) / pageRows};
  }
  /// Expects that no page is there twice, and that the pool has them all.
  void expectOwn(const PagePool &pool,
                 std::initializer_list<std::vector<int64_t>> lists) {
    std::set<int64_t> all;
    for (const std::vector<int64_t> &pages : lists)
      for (int64_t page : pages) {
        EXPECT_TRUE(all.insert(page).second) << page;
        EXPECT_LT(page, pool[0].shape[0]);
      }
    EXPECT_EQ(static_cast<int64_t>(all.size()), pool.countHeld());
  }

  HostMachine host{nullptr};
  int64_t pageRows = 4;
  std::vector<int64_t> starts = {0, 9};
  std::optional<int64_t> window, most;
};
} // namespace

TEST_F(PagePoolTest, PaddingGoesBackBehindThePrompt) {
  PagePool pool = make(20);
  ASSERT_EQ(pool.reserve(0, 10), std::nullopt);
  expectOwn(pool, {list(pool, 0, 0, 10), list(pool, 1, 0, 10)});
  std::vector<int64_t> padding = list(pool, 1, 0, 8);
  for (int64_t held = 10; held < 12; ++held) {
    ASSERT_EQ(pool.reserve(held, held + 1), std::nullopt);
    expectOwn(pool, {list(pool, 0, 0, 10), list(pool, 1, 8, 10)});
  }
  // What has come back is the first to be taken.
  ASSERT_EQ(pool.reserve(12, 13), std::nullopt);
  expectOwn(pool, {list(pool, 0, 0, 13), list(pool, 1, 8, 13)});
  EXPECT_THAT(padding, testing::UnorderedElementsAre(list(pool, 0, 12, 13)[0],
                                                     list(pool, 1, 12, 13)[0]));
}

TEST_F(PagePoolTest, RowsThatEndKeepOne) {
  PagePool pool = make(30);
  ASSERT_EQ(pool.reserve(0, 30), std::nullopt);
  EXPECT_EQ(pool.countOf(0, 30), 30);
  EXPECT_EQ(pool.countHeld(), 16);
  pool.end(0);
  EXPECT_EQ(pool.countOf(0, 30), 0);
  ASSERT_EQ(pool.reserve(30, 31), std::nullopt);
  expectOwn(pool, {list(pool, 0, 0, 1), list(pool, 1, 8, 31)});
}

TEST_F(PagePoolTest, NobodySeesWhatIsBehindAWindow) {
  window = 6;
  PagePool pool = make(100);
  for (int64_t held = 0; held < 100; ++held) {
    ASSERT_EQ(pool.reserve(held, held + 1), std::nullopt);
    // The token and the five before it, and all before a token that is none.
    int64_t first = std::max<int64_t>(held - 5, 0);
    int64_t other = std::min(std::max<int64_t>(first, 9), held);
    expectOwn(pool,
              {list(pool, 0, first, held + 1), list(pool, 1, other, held + 1)});
  }
  EXPECT_LE(pool.countHeld(), 6);
}

TEST_F(PagePoolTest, RowsBehindKeepThePageThatTheyWrite) {
  window = 1;
  PagePool pool = make(100);
  for (int64_t held = 0; held < 60; ++held) {
    int64_t lag = held % 6;
    ASSERT_EQ(pool.reserve(held, held + 1, lag), std::nullopt);
    int64_t first = std::max<int64_t>(held - lag, 0);
    int64_t other = std::min(std::max<int64_t>(first, 9), held);
    expectOwn(pool,
              {list(pool, 0, first, held + 1), list(pool, 1, other, held + 1)});
  }
}

TEST_F(PagePoolTest, WhatPagesHoldMovesAlong) {
  PagePool pool = make(4);
  ASSERT_EQ(pool.reserve(0, 4), std::nullopt);
  EXPECT_EQ(pool[0].shape[0], 2);
  auto *keys = static_cast<float *>(pool[0].data);
  for (int64_t i = 0; i < 2 * pageRows * 3; ++i)
    keys[i] = static_cast<float>(i);
  std::vector<int64_t> before = list(pool, 1, 0, 4);
  ASSERT_EQ(pool.reserve(4, 5), std::nullopt);
  EXPECT_EQ(pool[0].shape[0], 4);
  EXPECT_EQ(pool[1].shape[0], 4);
  EXPECT_NE(pool[0].data, keys);
  EXPECT_EQ(list(pool, 1, 0, 4), before);
  for (int64_t i = 0; i < 2 * pageRows * 3; ++i)
    EXPECT_EQ(static_cast<float *>(pool[0].data)[i], static_cast<float>(i));
}

TEST_F(PagePoolTest, StepsMoveNothing) {
  PagePool pool = make(40);
  ASSERT_EQ(pool.reserve(0, 10), std::nullopt);
  const void *data = pool[0].data, *table = pool.getTable()->data;
  int64_t pages = pool[0].shape[0], entries = pool.getTable()->shape[1];
  for (int64_t held = 10; held < 40; ++held)
    ASSERT_EQ(pool.reserve(held, held + 1), std::nullopt);
  EXPECT_EQ(pool[0].data, data);
  EXPECT_EQ(pool.getTable()->data, table);
  EXPECT_EQ(pool[0].shape[0], pages);
  EXPECT_EQ(pool.getTable()->shape[1], entries);
}

TEST_F(PagePoolTest, PoolsHaveAnEnd) {
  most = 7;
  PagePool pool = make(40);
  ASSERT_EQ(pool.reserve(0, 10), std::nullopt);
  EXPECT_EQ(pool[0].shape[0], 7);
  EXPECT_THAT(pool.reserve(10, 30),
              FailsWith("pool_pages: expected room for 10 more pages of 4 "
                        "tokens, for 2 rows of 30 tokens, got 7 pages, 4 of "
                        "which are held"));
}

TEST_F(PagePoolTest, MemoryThatThereIsNot) {
  most = int64_t(1) << 60;
  EXPECT_THAT(make(1).reserve(0, 1),
              FailsWith("no memory for 1152921504606846976 pages of 4 tokens"));
}
