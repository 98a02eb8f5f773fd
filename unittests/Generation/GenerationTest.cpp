//===- GenerationTest.cpp - the loop over a function that is no model -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GenerationFixture.h"
#include "parablock/Engines/Generation/CacheBuffers.h"

using namespace parablock;
using namespace parablock::generation;
using parablock::unittest::FailsWith;
using testing::ElementsAre;

TEST_F(GenerationTest, RowsGoOnAsEachDoesAlone) {
  auto made = generate();
  std::vector<int64_t> first, second;
  for (const auto &step : made) {
    first.push_back(step[0]);
    second.push_back(step[1]);
  }
  EXPECT_EQ(first, continueRow({1, 2, 3}, 4));
  EXPECT_EQ(second, continueRow({9, 4}, 4));
  EXPECT_THAT(sums.sizes, ElementsAre(3, 1, 1, 1));
}

TEST_F(GenerationTest, DevicesRunAhead) {
  request.mostTokens = 30;
  std::vector<std::vector<int64_t>> wanted = generate();
  addChoice();
  sums.sizes.clear();
  EXPECT_EQ(generate(), wanted);
  EXPECT_EQ(sums.sizes.size(), 30u) << "no call behind the last token";
  // A row that ends is beside the other one, and nothing runs far behind all.
  request.stops = {wanted[3][0]};
  ports.choice.reset();
  wanted = generate();
  addChoice();
  EXPECT_EQ(generate(), wanted);
  request.stops = {wanted[2][0], wanted[2][1]};
  sums.sizes.clear();
  EXPECT_LE(generate().size(), 3u);
  EXPECT_LE(sums.sizes.size(), 3u + Machine::mostAhead);
}

TEST_F(GenerationTest, DevicesTakePromptsInParts) {
  request.ids.resize(150);
  for (int64_t i = 0; i < 150; ++i)
    request.ids[i] = i % vocabulary;
  request.starts = {0};
  request.mostTokens = 90;
  std::vector<std::vector<int64_t>> wanted = generate();
  addChoice();
  EXPECT_EQ(generate(), wanted);
}

TEST_F(GenerationTest, DevicesShareThePages) {
  ports = makePagedPorts();
  sums.isPaged = true;
  request.mostTokens = 30;
  request.stops = {continueRow({1, 2, 3}, 6).back()};
  // Enough if the row that ends gives its pages to the other one.
  for (std::optional<int64_t> most : {std::optional<int64_t>(), {9}}) {
    request.mostPages = most;
    ports.choice.reset();
    ports.numArguments = 7;
    std::vector<std::vector<int64_t>> wanted = generate();
    addChoice();
    EXPECT_EQ(generate(), wanted);
  }
  request.mostPages = 3;
  ASSERT_EQ(create(), std::nullopt);
  ASSERT_EQ(loop->begin(), std::nullopt);
  ASSERT_EQ(loop->next(), std::nullopt);
  ASSERT_EQ(loop->next(), std::nullopt);
  EXPECT_THAT(loop->next(),
              FailsWith("pool_pages: expected room for 2 more pages of 4 "
                        "tokens, for 2 rows of 5 tokens, got 3 pages, 2 of "
                        "which are held"));
}

TEST_F(GenerationTest, DevicesTellOfLogitsThatAreNoNumbers) {
  addChoice();
  sums.spoilt = true;
  ASSERT_EQ(create(), std::nullopt);
  ASSERT_EQ(loop->begin(), std::nullopt);
  EXPECT_THAT(loop->next(),
              FailsWith("row 0, token 0: expected logits with a largest number "
                        "among them, got NaN or infinite ones"));
}

TEST_F(GenerationTest, HostsDoNotChooseOnDevices) {
  addChoice();
  EXPECT_THAT(Generation::create(ports, limits, request,
                                 std::make_unique<HostMachine>(std::ref(sums)),
                                 loop),
              FailsWith("generation: expected a function without block.sample, "
                        "which runs on devices, got one with it"));
}

TEST_F(GenerationTest, PagesHoldWhatRowsDo) {
  ports = makePagedPorts();
  sums.isPaged = true;
  request.mostTokens = 30;
  // The last of the two rows goes on alone, in pages that the other one had.
  std::vector<int64_t> wanted = continueRow({9, 4}, 30);
  request.stops = {continueRow({1, 2, 3}, 6).back()};
  ASSERT_EQ(std::count(wanted.begin(), wanted.end(), request.stops[0]), 0);
  for (std::optional<int64_t> most : {std::optional<int64_t>(), {9}}) {
    request.mostPages = most;
    std::vector<int64_t> found;
    for (const auto &step : generate())
      found.push_back(step[1]);
    EXPECT_EQ(found, wanted);
  }
}

TEST_F(GenerationTest, PagesHaveAnEnd) {
  ports = makePagedPorts();
  sums.isPaged = true;
  request.mostPages = 3;
  ASSERT_EQ(create(), std::nullopt);
  ASSERT_EQ(loop->begin(), std::nullopt);
  ASSERT_EQ(loop->next(), std::nullopt);
  ASSERT_EQ(loop->next(), std::nullopt);
  const char *said = "pool_pages: expected room for 2 more pages of 4 tokens, "
                     "for 2 rows of 5 tokens, got 3 pages, 2 of which are held";
  EXPECT_THAT(loop->next(), FailsWith(said));
}

TEST_F(GenerationTest, EndedRowsArePadded) {
  int64_t stop = continueRow({9, 4}, 2)[1];
  std::vector<int64_t> other = continueRow({1, 2, 3}, 4);
  ASSERT_EQ(std::count(other.begin(), other.end(), stop), 0);
  request.stops = {30, stop};
  request.padding = 7;
  auto made = generate();
  ASSERT_EQ(made.size(), 4u);
  EXPECT_EQ(made[1][1], stop);
  EXPECT_EQ(made[2][1], 7);
  EXPECT_EQ(made[3][1], 7);
}

TEST_F(GenerationTest, EndsWithItsRows) {
  request.stops = {continueRow({1, 2, 3}, 2)[1], continueRow({9, 4}, 1)[0]};
  request.mostTokens = 1000;
  EXPECT_EQ(generate().size(), 2u);
}

TEST_F(GenerationTest, LongPromptsGoInInParts) {
  std::vector<int64_t> row;
  for (int64_t i = 0; i < 150; ++i)
    row.push_back(i % vocabulary);
  request.ids = row;
  request.starts = {0};
  request.mostTokens = 90;
  std::vector<int64_t> found;
  for (const auto &step : generate())
    found.push_back(step[0]);
  EXPECT_EQ(found, continueRow(row, 90));
  ASSERT_GE(sums.sizes.size(), 3u);
  // The first part beyond the smallest ring is as large as what it has beyond
  // its window.
  sums.sizes.resize(4);
  EXPECT_THAT(sums.sizes, ElementsAre(64, 64, 22, 1));
  // Logits of the first parts are not moved.
  wanted.resize(4);
  EXPECT_THAT(wanted, ElementsAre(false, false, true, true));
}

TEST_F(GenerationTest, WhatIsOnlyExpectedHasABound) {
  size_t rows = size_t(1) << 10;
  request.ids.assign(rows, 1);
  request.starts.assign(rows, 0);
  request.mostTokens = int64_t(1) << 40;
  request.stops = {continueRow({1}, 3)[2]};
  EXPECT_EQ(generate().size(), 3u);
  // 256 MiB, of 4 KiB a token.
  EXPECT_THAT(sums.capacities, testing::Each(65520));
}

TEST_F(GenerationTest, ReservesWhatIsAskedFor) {
  request.mostTokens = 80;
  std::vector<std::vector<int64_t>> wanted = generate();
  EXPECT_THAT(sums.capacities, testing::Each(83));
  sums.capacities.clear();
  request.mostReserved = 1;
  EXPECT_EQ(generate(), wanted);
  EXPECT_EQ(sums.capacities.front(), 64);
  EXPECT_EQ(sums.capacities.back(), 128);
}

TEST_F(GenerationTest, WhatCachesHoldMovesAlong) {
  HostMachine host(std::ref(sums));
  CacheBuffers caches(host, makePorts().caches, /*batch=*/2, /*expected=*/3);
  ASSERT_EQ(caches.reserve(0, 3), std::nullopt);
  EXPECT_EQ(caches[0].shape[1], 64);
  EXPECT_EQ(caches[1].shape[1], 64);
  for (unsigned cache : {0, 1})
    for (int64_t i = 0; i < 2 * 64; ++i)
      static_cast<float *>(caches[cache].data)[i] = static_cast<float>(i);
  ASSERT_EQ(caches.reserve(64, 65), std::nullopt);
  EXPECT_EQ(caches[0].shape[1], 128);
  EXPECT_EQ(caches[1].shape[1], ringRows);
  for (unsigned cache : {0, 1})
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_EQ(
          static_cast<float *>(caches[cache].data)[caches[cache].shape[1] + i],
          static_cast<float>(64 + i));
  void *ring = caches[1].data;
  ASSERT_EQ(caches.reserve(128, 129), std::nullopt);
  EXPECT_EQ(caches[0].shape[1], 256);
  EXPECT_EQ(caches[1].data, ring) << "a ring that is whole stays";
}

TEST_F(GenerationTest, MemoryThatThereIsNot) {
  HostMachine host(std::ref(sums));
  CacheBuffers caches(host, makePorts().caches, 2, 3);
  EXPECT_THAT(caches.reserve(0, int64_t(1) << 61),
              FailsWith("no memory for caches of 2305843009213693952 tokens"));
}

TEST_F(GenerationTest, FaultsOfRequests) {
  auto check = [&](auto change, const char *said) {
    Request right = request;
    change();
    expectFault(said);
    request = right;
  };
  check([&] { request.starts.clear(); },
        "ids: expected rows of as many tokens each, at least one");
  check([&] { request.ids.pop_back(); },
        "ids: expected rows of as many tokens each, at least one");
  check([&] { request.starts[1] = 3; },
        "starts: expected numbers from 0 to 2, got 3 of row 1");
  check([&] { request.ids[4] = 31; },
        "ids: expected tokens below 31, got 31 in row 1");
  check([&] { request.ids[0] = -1; },
        "ids: expected tokens below 31, got -1 in row 0");
  check([&] { request.mostTokens = 0; },
        "max_new_tokens: expected 1 or more, got 0");
  check([&] { request.padding = 31; },
        "padding: expected a token below 31, got 31");
  check([&] { request.mostReserved = 0; },
        "reserved_tokens: expected 1 or more, got 0");
  check([&] { request.sampling.topP = 1.5; },
        "top_p: expected a number from 0 to 1, got 1.5");
  check([&] { request.mostPages = 5; },
        "pool_pages: expected caches in pages, got some in one piece");
  ports = makePagedPorts();
  check([&] { request.mostPages = -1; },
        "pool_pages: expected 1 or more, got -1");
  ports = makePorts();
  // Padding may be anything.
  request.ids[3] = 99;
  EXPECT_EQ(create(), std::nullopt);
}

TEST_F(GenerationTest, PositionsHaveAnEnd) {
  limits.mostPositions = 6;
  EXPECT_EQ(create(), std::nullopt);
  limits.mostPositions = 5;
  expectFault("expected at most 5 tokens, which is what the model has "
              "positions for, got 6");
  // The first row is gone: what is left has padding in front.
  request.ids = {0, 9, 4};
  request.starts = {1};
  EXPECT_EQ(create(), std::nullopt);
  limits.countsPadding = true;
  expectFault("expected at most 5 tokens, which is what the model has "
              "positions for, got 6");
  request.mostTokens = std::numeric_limits<int64_t>::max();
  expectFault("expected at most 5 tokens, which is what the model has "
              "positions for, got 9223372036854775809");
}

TEST_F(GenerationTest, StepsHaveAnOrder) {
  ASSERT_EQ(create(), std::nullopt);
  const char *said =
      "generation: expected a step behind a beginning and before the end";
  EXPECT_THAT(loop->next(), FailsWith(said));
  ASSERT_EQ(loop->begin(), std::nullopt);
  EXPECT_THAT(loop->begin(),
              FailsWith("generation: expected one beginning, and another "
                        "generation where it failed"));
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(loop->next(), std::nullopt);
  EXPECT_THAT(loop->next(), FailsWith(said));
}

TEST_F(GenerationTest, BeginningsThatFailAreNotRepeated) {
  sums.failing = true;
  ASSERT_EQ(create(), std::nullopt);
  EXPECT_THAT(loop->begin(), FailsWith("no"));
  sums.failing = false;
  EXPECT_THAT(loop->begin(),
              FailsWith("generation: expected one beginning, and another "
                        "generation where it failed"));
}

TEST_F(GenerationTest, LogitsThatAreNoNumbers) {
  sums.spoilt = true;
  ASSERT_EQ(create(), std::nullopt);
  ASSERT_EQ(loop->begin(), std::nullopt);
  EXPECT_THAT(loop->next(),
              FailsWith("row 0, token 0: expected logits with a largest number "
                        "among them, got NaN or infinite ones"));
}

TEST_F(GenerationTest, FailuresOfTheFunctionEndIt) {
  ASSERT_EQ(create(), std::nullopt);
  ASSERT_EQ(loop->begin(), std::nullopt);
  ASSERT_EQ(loop->next(), std::nullopt);
  sums.failing = true;
  EXPECT_THAT(loop->next(), FailsWith("no"));
  sums.failing = false;
  EXPECT_THAT(loop->next(),
              FailsWith("generation: expected a step behind a beginning and "
                        "before the end"));
}
