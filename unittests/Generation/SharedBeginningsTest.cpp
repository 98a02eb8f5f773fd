//===- SharedBeginningsTest.cpp - prompts that begin with the same tokens -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GenerationFixture.h"

using namespace parablock;
using namespace parablock::generation;
using parablock::unittest::FailsWith;

namespace {
using SharedBeginningsTest = GenerationTest;
} // namespace

TEST_F(SharedBeginningsTest, RowsShareTheirBeginning) {
  ports = makePagedPorts();
  sums.isPaged = true;
  std::vector<int64_t> system = {5, 1, 4, 9, 2, 6, 8, 3, 7};
  std::vector<std::vector<int64_t>> even = {{1, 2}, {11, 3}, {12, 4}},
                                    uneven = {{1, 2, 3},
                                              {4, 9, 5, 6, 8, 7},
                                              {30, 2}},
                                    same = {{}, {}, {}, {}};
  for (bool chooses : {false, true})
    for (const auto &ends : {even, uneven, same}) {
      std::vector<std::vector<int64_t>> rows;
      size_t width = 0;
      for (std::vector<int64_t> end : ends) {
        end.insert(end.begin(), system.begin(), system.end());
        width = std::max(width, end.size());
        rows.push_back(std::move(end));
      }
      request.ids.clear();
      request.starts.clear();
      for (const std::vector<int64_t> &row : rows) {
        request.starts.push_back(static_cast<int64_t>(width - row.size()));
        request.ids.insert(request.ids.end(), width - row.size(), 0);
        request.ids.insert(request.ids.end(), row.begin(), row.end());
      }
      request.mostTokens = 20;
      // The first row ends before the others, with the pages that it shares.
      request.stops = {continueRow(rows[0], 3).back()};
      ports.choice.reset();
      ports.numArguments = 7;
      if (chooses)
        addChoice();
      sums.computed = 0;
      sums.sizes.clear();
      ASSERT_EQ(create(), std::nullopt);
      ASSERT_EQ(loop->begin(), std::nullopt);
      // Two pages of four tokens are computed by one row.
      EXPECT_EQ(sums.sizes.front(), 8);
      bool isUneven = ends == uneven;
      int64_t rest = static_cast<int64_t>(rows.size() * (width - 8));
      EXPECT_EQ(sums.computed, 8 + rest);
      EXPECT_EQ(sums.sizes.size(), isUneven ? 3u : 2u);
      std::vector<std::vector<int64_t>> made(rows.size());
      while (!loop->hasEnded()) {
        ASSERT_EQ(loop->next(), std::nullopt);
        for (size_t row = 0; row < rows.size(); ++row)
          made[row].push_back(loop->getTokens()[row]);
      }
      for (size_t row = 0; row < rows.size(); ++row) {
        std::vector<int64_t> wanted = continueRow(rows[row], 20);
        auto end = std::find(wanted.begin(), wanted.end(), request.stops[0]);
        if (end != wanted.end())
          std::fill(end + 1, wanted.end(), request.padding);
        wanted.resize(made[row].size());
        EXPECT_EQ(made[row], wanted) << row;
      }
    }
}

TEST_F(SharedBeginningsTest, BeginningsThatFailAreNotRepeated) {
  ports = makePagedPorts();
  sums.isPaged = true;
  // Rows of 6 and of 5 tokens: one that began again would read padding.
  request.ids = {1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5};
  request.starts = {0, 1};
  sums.failing = true;
  ASSERT_EQ(create(), std::nullopt);
  EXPECT_THAT(loop->begin(), FailsWith("no"));
  sums.failing = false;
  EXPECT_THAT(loop->begin(),
              FailsWith("generation: expected one beginning, and another "
                        "generation where it failed"));
}

TEST_F(SharedBeginningsTest, SharedPagesFitSmallPools) {
  ports = makePagedPorts();
  sums.isPaged = true;
  // Two shared pages, and one of each row.
  request.ids = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 10};
  request.starts = {0, 0};
  request.mostTokens = 4;
  request.mostPages = 4;
  EXPECT_EQ(generate().size(), 4u);
  request.mostPages = 3;
  ASSERT_EQ(create(), std::nullopt);
  EXPECT_THAT(loop->begin(),
              FailsWith("pool_pages: expected room for 2 more pages of 4 "
                        "tokens, for 2 rows of 9 tokens, got 3 pages, 2 of "
                        "which are held"));
}

TEST_F(SharedBeginningsTest, RowsWithPaddingThatCountsShareNothing) {
  ports = makePagedPorts();
  sums.isPaged = true;
  request.ids = {0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7};
  request.starts = {1, 0};
  limits.countsPadding = true;
  EXPECT_EQ(generate().size(), 4u);
  EXPECT_EQ(sums.sizes.front(), 7);
  limits.countsPadding = false;
  sums.sizes.clear();
  EXPECT_EQ(generate().size(), 4u);
  EXPECT_EQ(sums.sizes.front(), 4);
}
