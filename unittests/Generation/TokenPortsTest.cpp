//===- TokenPortsTest.cpp - what a function with caches takes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/TokenPorts.h"
#include "Failures.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <tuple>

using namespace parablock;
using namespace parablock::generation;
using parablock::unittest::FailsWith;

namespace {
/// A function of one layer, whose keys are a ring; each test makes one fault.
class TokenPortsTest : public testing::Test {
protected:
  static constexpr int64_t any = -1;

  void SetUp() override {
    addInput("past_lengths", "i64", {any});
    addInput("h.weight", "f32", {7, 4});
    arguments.back().isParameter = true;
    addInput("input_ids", "i64", {any, any});
    addInput("past_key.0", "bf16", {any, any, 4});
    arguments.back().dims = {"batch", "past_5", ""};
    addInput("past_value.0", "f32", {any, any, 6});
    arguments.back().dims = {"batch", "past", ""};
    addInput("starts", "i64", {any});
    addInput("logits_to_keep", "i64", {any});
    addOutput("value.0", "f32", {any, any, 6});
    addOutput("logits", "f16", {any, any, 7});
    addOutput("key.0", "bf16", {any, any, 4});
  }

  void addInput(const char *name, const char *type,
                std::vector<int64_t> shape) {
    arguments.push_back({name, type, std::move(shape), {}, false});
  }
  void addOutput(const char *name, const char *type,
                 std::vector<int64_t> shape) {
    results.push_back({name, type, std::move(shape), {}, false});
  }
  void remove(const std::string &name) {
    for (std::vector<PortFacts> *ports : {&arguments, &results})
      ports->erase(
          std::remove_if(ports->begin(), ports->end(),
                         [&](auto &port) { return port.name == name; }),
          ports->end());
  }
  /// Expects an error that says so.
  void expectFault(const std::string &said) {
    TokenPorts ports;
    EXPECT_THAT(findTokenPorts(arguments, results, ports),
                FailsWith("generation: expected a function as "
                          "block-add-caches makes it, " +
                          said));
  }

  std::vector<PortFacts> arguments, results;
};
} // namespace

TEST_F(TokenPortsTest, KnowsPortsByName) {
  TokenPorts ports;
  ASSERT_EQ(findTokenPorts(arguments, results, ports), std::nullopt);
  EXPECT_EQ(ports.ids, 2u);
  EXPECT_EQ(ports.pastLengths, 0u);
  EXPECT_EQ(ports.starts, 5u);
  EXPECT_EQ(ports.keptRows, 6u);
  EXPECT_EQ(ports.logits, 1u);
  EXPECT_EQ(ports.vocabulary, 7);
  EXPECT_EQ(ports.logitsType, "f16");
  EXPECT_EQ(ports.numArguments, 7u);
  EXPECT_EQ(ports.numResults, 3u);
  ASSERT_EQ(ports.caches.size(), 2u);
  EXPECT_EQ(ports.caches[0].argument, 3u);
  EXPECT_EQ(ports.caches[0].result, 2u);
  EXPECT_EQ(ports.caches[0].width, 4);
  EXPECT_EQ(ports.caches[0].type, "bf16");
  EXPECT_EQ(ports.caches[0].window, 5);
  EXPECT_EQ(ports.caches[1].result, 0u);
  EXPECT_EQ(ports.caches[1].window, std::nullopt);
}

TEST_F(TokenPortsTest, EverythingHasToBeThere) {
  for (const char *name :
       {"input_ids", "past_lengths", "starts", "logits_to_keep", "logits"}) {
    auto before = std::make_pair(arguments, results);
    remove(name);
    expectFault("got one without '" + std::string(name) + "'");
    std::tie(arguments, results) = before;
  }
}

TEST_F(TokenPortsTest, CachesHaveToBeThere) {
  for (const char *name : {"past_key.0", "past_value.0", "key.0", "value.0"})
    remove(name);
  expectFault("got one without caches");
}

TEST_F(TokenPortsTest, CachesComeBack) {
  remove("key.0");
  expectFault("that gives 'key.0', got one that does not");
}

TEST_F(TokenPortsTest, NothingElseIsTaken) {
  addInput("memory_key.0", "f32", {any, any, 4});
  expectFault("got one that takes 'memory_key.0' as well");
}

TEST_F(TokenPortsTest, NothingElseIsGiven) {
  addOutput("hidden_states", "f32", {any, any, 4});
  expectFault("got one that gives 'hidden_states' [?, ?, 4] as well");
}

TEST_F(TokenPortsTest, KnowsPages) {
  addInput("pages", "i64", {any, any});
  for (unsigned cache : {3, 4})
    arguments[cache].shape = {any, 16, arguments[cache].shape[2]};
  TokenPorts ports;
  ASSERT_EQ(findTokenPorts(arguments, results, ports), std::nullopt);
  EXPECT_EQ(ports.pages, 7u);
  EXPECT_EQ(ports.pageRows, 16);
  arguments[4].shape[1] = 8;
  expectFault("whose 'past_value.0' has pages like those of others, got the "
              "sizes [?, 8, 6]");
  arguments[3].shape[1] = any;
  expectFault("whose 'past_key.0' has any number of pages, got the sizes "
              "[?, ?, 4]");
  arguments[7].shape[1] = 3;
  arguments[3].shape[1] = arguments[4].shape[1] = 16;
  expectFault("whose 'pages' is i64 of any sizes, got i64 [?, 3]");
}

TEST_F(TokenPortsTest, KnowsTheChoiceOfTokens) {
  addInput("sampling", "f64", {any, 5});
  addInput("random", "i64", {any, 2});
  addInput("stops", "i64", {any});
  addInput("padding", "i64", {1});
  addInput("past_seen", "i8", {any, 7});
  addInput("past_ended", "i64", {any});
  addInput("past_step", "i64", {any});
  addOutput("tokens", "i64", {any, 1});
  addOutput("seen", "i8", {any, 7});
  addOutput("ended", "i64", {any});
  addOutput("lengths", "i64", {any});
  addOutput("step", "i64", {any});
  TokenPorts ports;
  ASSERT_EQ(findTokenPorts(arguments, results, ports), std::nullopt);
  ASSERT_TRUE(ports.choice);
  EXPECT_EQ(ports.choice->sampling, 7u);
  EXPECT_EQ(ports.choice->pastStep, 13u);
  EXPECT_EQ(ports.choice->tokens, 3u);
  EXPECT_EQ(ports.choice->step, 7u);
  EXPECT_EQ(ports.logits, 1u);
  arguments[11].shape = {any, 8};
  expectFault("whose 'past_seen' is i8 [?, 7], got i8 [?, 8]");
  arguments[11].shape = {any, 7};
  remove("ended");
  expectFault("got one without 'ended'");
}

TEST_F(TokenPortsTest, SizesAreOpen) {
  arguments[2].shape = {2, any};
  expectFault("whose 'input_ids' is i64 of any sizes, got i64 [2, ?]");
}

TEST_F(TokenPortsTest, IdsAreWholeNumbers) {
  arguments[2].type = "i32";
  expectFault("whose 'input_ids' is i64 of any sizes, got i32 [?, ?]");
}

TEST_F(TokenPortsTest, CachesHaveAnyNumberOfRows) {
  arguments[3].shape = {any, 16, 4};
  expectFault("whose 'past_key.0' has any number of rows, got the sizes "
              "[?, 16, 4]");
}
