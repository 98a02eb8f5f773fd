//===- GenerationTest.cpp - the loop over a function that is no model -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Generation.h"
#include "Failures.h"
#include "parablock/Engines/Generation/CacheBuffers.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace parablock;
using namespace parablock::generation;
using parablock::unittest::FailsWith;
using testing::ElementsAre;

static constexpr int64_t vocabulary = 31, window = 5;
static constexpr int64_t ringRows = window + 64;

/// The token that comes next: of a sum of all tokens of a row, and of one of
/// those in the window.
static int64_t findNext(int64_t all, int64_t seen) {
  return (3 * all + 5 * seen + 1) % vocabulary;
}

namespace {
/// Keeps tokens in its caches as a model keeps keys: all of them in the first,
/// those of the window in the second, which is a ring where it is full.
class Sums {
public:
  Status operator()(Inputs &in, Outputs &out) {
    int64_t rows = in[0]->shape[0], tokens = in[0]->shape[1];
    sizes.push_back(tokens);
    capacities.push_back(in[4]->shape[1]);
    table = isPaged ? in[6] : nullptr;
    for (int64_t row = 0; row < rows; ++row) {
      int64_t past = get(in[1], row), start = get(in[2], row);
      EXPECT_LE(past + tokens, countRows(*in[4]));
      EXPECT_TRUE(past + tokens <= countRows(*in[5]) ||
                  window + tokens - 1 <= countRows(*in[5]));
      for (int64_t token = 0; token < tokens; ++token)
        for (unsigned cache : {4, 5})
          at(out[cache - 3], row, past + token) =
              static_cast<float>(get(in[0], row * tokens + token));
      int64_t last = past + get(in[3], 0), all = 0, seen = 0;
      for (int64_t place = start; place <= last; ++place)
        all += static_cast<int64_t>(at(*in[4], row, place));
      for (int64_t place = std::max(start, last - window + 1); place <= last;
           ++place)
        seen += static_cast<int64_t>(at(*in[5], row, place));
      auto *logits = static_cast<float *>(out[0].data) + row * vocabulary;
      for (int64_t token = 0; token < vocabulary; ++token)
        logits[token] = spoilt ? NAN : token == findNext(all, seen);
    }
    return failing ? fail("no") : Status();
  }

  /// Tokens of each call, and what it had room for.
  std::vector<int64_t> sizes, capacities;
  bool spoilt = false, failing = false, isPaged = false;

private:
  static int64_t get(const ParablockTensor *tensor, int64_t index) {
    return static_cast<const int64_t *>(tensor->data)[index];
  }
  int64_t countRows(const ParablockTensor &cache) const {
    return cache.shape[1] * (table ? table->shape[1] : 1);
  }
  float &at(const ParablockTensor &cache, int64_t row, int64_t place) const {
    int64_t size = cache.shape[1], strip = row;
    if (table) {
      strip = get(table, row * table->shape[1] + place / size);
      EXPECT_TRUE(0 <= strip && strip < cache.shape[0]);
    }
    return static_cast<float *>(cache.data)[strip * size + place % size];
  }

  /// The pages of the call at hand, of caches in pages.
  const ParablockTensor *table = nullptr;
};

/// A host that records of which calls logits are wanted.
class Watcher : public Machine {
public:
  Watcher(Sums &sums, std::vector<bool> &wanted)
      : host(std::ref(sums)), wanted(wanted) {}

  Status allocate(const Need &need, void *&memory) override {
    return host.allocate(need, memory);
  }
  void release(void *memory) override { host.release(memory); }
  Status copy(Strips target, Strips source, uint64_t bytes,
              uint64_t count) override {
    return host.copy(target, source, bytes, count);
  }
  Status run(Inputs &in, Outputs &out, bool wantsLogits) override {
    wanted.push_back(wantsLogits);
    return host.run(in, out, wantsLogits);
  }

private:
  HostMachine host;
  std::vector<bool> &wanted;
};

/// A device that chooses tokens by itself, some calls ahead of the loop: the
/// best ones, by the same function.
class Chooser : public Watcher {
public:
  Chooser(Sums &sums, std::vector<bool> &wanted, const ChoicePorts &ports)
      : Watcher(sums, wanted), sums(sums), ports(ports) {}

  Status run(Inputs &, Outputs &, bool) override {
    return fail("expected enqueue");
  }
  bool runsChoice() const override { return true; }

  Status enqueue(Inputs &given, Outputs &out, int64_t number) override {
    Inputs in = given;
    size_t rows = in[0]->shape[0];
    int64_t tokens = in[0]->shape[1];
    if (lengths.empty()) {
      EXPECT_EQ(get(in[ports.pastStep], rows), std::vector(rows, number));
      lengths = get(in[1], rows);
      ended = get(in[ports.pastEnded], rows);
      latest.resize(rows);
    }
    std::vector<int64_t> before = lengths;
    ParablockTensor past = *in[1], ids = *in[0];
    past.data = before.data();
    if (!ids.data)
      ids.data = latest.data();
    in[1] = &past;
    in[0] = &ids;
    if (Status failure = sums(in, out))
      return failure;
    std::vector<int64_t> stops =
        get(in[ports.stops], in[ports.stops]->shape[0]);
    for (size_t row = 0; row < rows; ++row) {
      lengths[row] += ended[row] ? 0 : tokens;
      latest[row] = get(in[ports.padding], 1)[0];
      if (number < 0 || ended[row])
        continue;
      const float *logits =
          static_cast<const float *>(out[0].data) + row * vocabulary;
      const float *best = std::max_element(logits, logits + vocabulary);
      if (std::isnan(*best)) {
        ended[row] = -1 - number;
        continue;
      }
      latest[row] = best - logits;
      ended[row] = std::count(stops.begin(), stops.end(), latest[row]) > 0;
    }
    EXPECT_LE(number - taken, mostAhead + 1);
    outcomes.push_back({latest, ended});
    firstNumber = std::min(firstNumber, number);
    return {};
  }
  Status take(int64_t number, Outcome &outcome) override {
    taken = number;
    const auto &own = outcomes[number - firstNumber];
    outcome = {own.first.data(), own.second.data()};
    return {};
  }
  Status setLength(size_t row, int64_t length) override {
    lengths[row] = length;
    return {};
  }

private:
  static std::vector<int64_t> get(const ParablockTensor *tensor, size_t count) {
    const auto *data = static_cast<const int64_t *>(tensor->data);
    return {data, data + count};
  }

  Sums &sums;
  ChoicePorts ports;
  std::vector<int64_t> lengths, ended, latest;
  std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>> outcomes;
  int64_t firstNumber = 0, taken = -1;
};

class GenerationTest : public testing::Test {
protected:
  static TokenPorts makePorts() {
    TokenPorts ports;
    ports.pastLengths = 1;
    ports.starts = 2;
    ports.keptRows = 3;
    ports.caches = {{4, 1, 1, "f32", std::nullopt}, {5, 2, 1, "f32", window}};
    ports.vocabulary = vocabulary;
    ports.numArguments = 6;
    ports.numResults = 3;
    return ports;
  }

  /// The same caches in pages.
  static TokenPorts makePagedPorts() {
    TokenPorts ports = makePorts();
    ports.pages = 6;
    ports.pageRows = 4;
    ports.numArguments = 7;
    for (CachePort &port : ports.caches)
      port.window.reset();
    return ports;
  }

  Status create() {
    std::unique_ptr<Machine> machine;
    if (ports.choice)
      machine = std::make_unique<Chooser>(sums, wanted, *ports.choice);
    else
      machine = std::make_unique<Watcher>(sums, wanted);
    return Generation::create(ports, limits, request, std::move(machine), loop);
  }

  /// Lets the function choose tokens.
  void addChoice() {
    unsigned first = static_cast<unsigned>(ports.numArguments);
    ChoicePorts &choice = ports.choice.emplace();
    unsigned *inputs[] = {&choice.sampling, &choice.random,   &choice.stops,
                          &choice.padding,  &choice.pastSeen, &choice.pastEnded,
                          &choice.pastStep};
    for (unsigned *input : inputs)
      *input = first++;
    ports.numArguments = first;
  }

  /// All tokens, step by step.
  std::vector<std::vector<int64_t>> generate() {
    EXPECT_EQ(create(), std::nullopt);
    EXPECT_EQ(loop->begin(), std::nullopt);
    std::vector<std::vector<int64_t>> made;
    while (!loop->hasEnded()) {
      EXPECT_EQ(loop->next(), std::nullopt);
      made.push_back(loop->getTokens());
    }
    return made;
  }

  /// The tokens of one row by themselves.
  static std::vector<int64_t> continueRow(std::vector<int64_t> row,
                                          int64_t count) {
    std::vector<int64_t> made;
    for (int64_t i = 0; i < count; ++i) {
      int64_t all = 0, seen = 0;
      for (size_t place = 0; place < row.size(); ++place) {
        all += row[place];
        if (place + window >= row.size())
          seen += row[place];
      }
      made.push_back(findNext(all, seen));
      row.push_back(made.back());
    }
    return made;
  }

  void expectFault(const char *said) { EXPECT_THAT(create(), FailsWith(said)); }

  Sums sums;
  /// For each call, true if its logits were wanted.
  std::vector<bool> wanted;
  std::unique_ptr<Generation> loop;
  Request request{{1, 2, 3, 0, 9, 4}, {0, 1}, 4, {}, 0, {}, 0, {}, {}};
  TokenLimits limits;
  TokenPorts ports = makePorts();
};
} // namespace

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
  EXPECT_THAT(loop->begin(), FailsWith("generation: expected one beginning"));
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(loop->next(), std::nullopt);
  EXPECT_THAT(loop->next(), FailsWith(said));
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
