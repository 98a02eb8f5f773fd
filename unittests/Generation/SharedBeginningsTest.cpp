//===- SharedBeginningsTest.cpp - prompts that begin with the same tokens -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GenerationFixture.h"
#include <random>

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

/// Rows of groups in any order; what is computed once are the pages with which
/// most tokens are saved.
TEST_F(SharedBeginningsTest, GroupsShareTheirBeginnings) {
  ports = makePagedPorts();
  sums.isPaged = true;
  std::vector<int64_t> a = {5, 1, 4, 9, 2, 6, 8, 3, 7},
                       b = {5, 1, 4, 9, 1, 1, 1, 1, 1}, c(9, 20);
  struct Case {
    std::vector<std::vector<int64_t>> rows;
    size_t groups;
    int64_t tokens;
  };
  // Two groups of two pages; a row alone, and one page of all but that; rows
  // that differ at once.
  for (const Case &each :
       {Case{{a, b, a, b, b, a}, 2, 8}, Case{{c, a, a}, 2, 8},
        Case{{b, c, a}, 2, 4}, Case{{a, b, c, c, c}, 3, 8}, Case{{a, c}, 0, 0}})
    for (bool chooses : {false, true}) {
      request.ids.clear();
      request.starts.assign(each.rows.size(), 0);
      for (const std::vector<int64_t> &row : each.rows)
        request.ids.insert(request.ids.end(), row.begin(), row.end());
      request.mostTokens = 9;
      ports.choice.reset();
      ports.numArguments = 7;
      if (chooses)
        addChoice();
      sums.computed = 0;
      ASSERT_EQ(create(), std::nullopt);
      ASSERT_EQ(loop->begin(), std::nullopt);
      auto rows = static_cast<int64_t>(each.rows.size());
      EXPECT_EQ(sums.computed, static_cast<int64_t>(each.groups) * each.tokens +
                                   rows * (9 - each.tokens));
      std::vector<std::vector<int64_t>> made(rows);
      while (!loop->hasEnded()) {
        ASSERT_EQ(loop->next(), std::nullopt);
        for (int64_t row = 0; row < rows; ++row)
          made[row].push_back(loop->getTokens()[row]);
      }
      for (int64_t row = 0; row < rows; ++row)
        EXPECT_EQ(made[row], continueRow(each.rows[row], 9)) << row;
    }
}

/// Rows of a few beginnings and of any lengths share what they can.
TEST_F(SharedBeginningsTest, AnyRowsContinueAsByThemselves) {
  ports = makePagedPorts();
  sums.isPaged = true;
  std::mt19937 random(7);
  auto draw = [&](int64_t below) {
    return std::uniform_int_distribution<int64_t>(0, below - 1)(random);
  };
  int64_t saved = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<int64_t>> rows(2 + draw(6)), begins(1 + draw(3));
    for (std::vector<int64_t> &begin : begins)
      for (int64_t count = draw(14); count > 0; --count)
        begin.push_back(draw(2));
    size_t width = 0;
    int64_t all = 0;
    for (std::vector<int64_t> &row : rows) {
      row = begins[draw(static_cast<int64_t>(begins.size()))];
      for (int64_t count = 1 + draw(5); count > 0; --count)
        row.push_back(draw(vocabulary));
      width = std::max(width, row.size());
    }
    request.ids.clear();
    request.starts.clear();
    for (const std::vector<int64_t> &row : rows) {
      request.starts.push_back(static_cast<int64_t>(width - row.size()));
      request.ids.insert(request.ids.end(), width - row.size(), 0);
      request.ids.insert(request.ids.end(), row.begin(), row.end());
      all += static_cast<int64_t>(width);
    }
    request.mostTokens = 6;
    request.stops = {draw(vocabulary)};
    ports.choice.reset();
    ports.numArguments = 7;
    if (round % 2)
      addChoice();
    sums.computed = 0;
    ASSERT_EQ(create(), std::nullopt);
    ASSERT_EQ(loop->begin(), std::nullopt);
    saved += all - sums.computed;
    std::vector<std::vector<int64_t>> made(rows.size());
    while (!loop->hasEnded()) {
      ASSERT_EQ(loop->next(), std::nullopt);
      for (size_t row = 0; row < rows.size(); ++row)
        made[row].push_back(loop->getTokens()[row]);
    }
    for (size_t row = 0; row < rows.size(); ++row) {
      std::vector<int64_t> wanted = continueRow(rows[row], 6);
      auto end = std::find(wanted.begin(), wanted.end(), request.stops[0]);
      if (end != wanted.end())
        std::fill(end + 1, wanted.end(), request.padding);
      wanted.resize(made[row].size());
      ASSERT_EQ(made[row], wanted) << "round " << round << ", row " << row;
    }
  }
  EXPECT_GT(saved, 300);
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
