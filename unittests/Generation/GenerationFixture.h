//===- GenerationFixture.h - a function that is no model --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_GENERATIONFIXTURE_H
#define PARABLOCK_UNITTESTS_GENERATIONFIXTURE_H

#include "Failures.h"
#include "parablock/Engines/Generation/Generation.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace parablock::generation {

inline constexpr int64_t vocabulary = 31, window = 5;
inline constexpr int64_t ringRows = window + 64;

/// The token that comes next: of a sum of all tokens of a row, and of one of
/// those in the window.
inline int64_t findNext(int64_t all, int64_t seen) {
  return (3 * all + 5 * seen + 1) % vocabulary;
}

/// Keeps tokens in its caches as a model keeps keys: all of them in the first,
/// those of the window in the second, which is a ring where it is full.
class Sums {
public:
  Status operator()(Inputs &in, Outputs &out) {
    int64_t rows = in[0]->shape[0], tokens = in[0]->shape[1];
    sizes.push_back(tokens);
    computed += rows * tokens;
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
  /// Tokens of all rows of all calls.
  int64_t computed = 0;
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
    if (lengths.size() != rows) {
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

  void expectFault(const char *said) {
    EXPECT_THAT(create(), parablock::unittest::FailsWith(said));
  }

  Sums sums;
  /// For each call, true if its logits were wanted.
  std::vector<bool> wanted;
  std::unique_ptr<Generation> loop;
  Request request{{1, 2, 3, 0, 9, 4}, {0, 1}, 4, {}, 0, {}, 0, {}, {}};
  TokenLimits limits;
  TokenPorts ports = makePorts();
};

} // namespace parablock::generation

#endif // PARABLOCK_UNITTESTS_GENERATIONFIXTURE_H
