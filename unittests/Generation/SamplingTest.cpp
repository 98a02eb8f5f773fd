//===- SamplingTest.cpp - shares of tokens and the choice by them ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Sampling.h"
#include "parablock/Support/SeededRandom.h"
#include "parablock/Support/TokenShares.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using namespace parablock;
using namespace parablock::generation;

static std::vector<float> drawScores(uint64_t seed, size_t count) {
  std::vector<double> drawn(count);
  SeededStream(seed, "scores").fillNormal(0, drawn);
  std::vector<float> scores;
  for (double value : drawn)
    scores.push_back(static_cast<float>(4 * value));
  return scores;
}

TEST(TokenSharesTest, SharesAreExponentials) {
  uint64_t before = shares::whole;
  for (float behind = 0; behind < 40; behind += 0x1p-10f) {
    uint64_t share = shares::getShare(5 - behind, 5);
    double wanted = 0x1p40 * std::exp(-static_cast<double>(behind));
    EXPECT_LE(std::fabs(share - wanted), 0.5 + 0x1p-25 * wanted) << behind;
    EXPECT_LE(share, before) << behind;
    before = share;
  }
  EXPECT_EQ(shares::getShare(-3, -3), shares::whole);
  EXPECT_EQ(shares::getShare(0.0f, -0.0f), shares::whole);
  EXPECT_EQ(shares::getShare(-INFINITY, 3), 0u);
  EXPECT_EQ(shares::getShare(-3e38f, 3e38f), 0u);
}

/// The bits are the definition: a machine that computes others chooses others.
TEST(TokenSharesTest, SharesHaveTheseBits) {
  EXPECT_EQ(shares::getShare(-0.5f, 0), 666887512576u);
  EXPECT_EQ(shares::getShare(-1.0f, 0), 404487724032u);
  EXPECT_EQ(shares::getShare(-10.0f, 0), 49917751u);
  EXPECT_EQ(shares::getShare(-28.0f, 0), 1u);
}

TEST(TokenSharesTest, PartsOfSums) {
  EXPECT_EQ(shares::getLeast(0, 10), 0u);
  EXPECT_EQ(shares::getLeast(0.25, 10), 3u);
  EXPECT_EQ(shares::getLeast(0.5, 10), 5u);
  EXPECT_EQ(shares::getLeast(1, 10), 10u);
  // A sum that f64 rounds up.
  uint64_t large = (uint64_t(1) << 60) - 1;
  EXPECT_EQ(shares::getLeast(1, large), large);
  EXPECT_EQ(shares::getBound(1, large), large - 1);
  EXPECT_EQ(shares::getBound(0, 10), 0u);
  EXPECT_EQ(shares::getBound(0.25, 10), 2u);
  EXPECT_EQ(shares::getBound(1, 1), 0u);
}

TEST(SamplingTest, SharesAreTheSoftmax) {
  constexpr size_t count = 50257;
  std::vector<float> scores = drawScores(1, count);
  double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0, powers = 0, distance = 0;
  for (float score : scores) {
    sum += shares::getShare(score, static_cast<float>(best));
    powers += std::exp(score - best);
  }
  for (float score : scores)
    distance +=
        std::fabs(shares::getShare(score, static_cast<float>(best)) / sum -
                  std::exp(score - best) / powers);
  EXPECT_LT(distance / 2, 0x1p-24) << "the total variation";
}

/// A draw by the sums of f64 differs only where the point is at their bounds.
TEST(SamplingTest, PointsChooseTheTokensOfTheSoftmax) {
  constexpr size_t count = 1000;
  std::vector<float> scores = drawScores(2, count);
  double best = *std::max_element(scores.begin(), scores.end()), sum = 0;
  std::vector<double> sums;
  for (float score : scores)
    sums.push_back(sum += std::exp(score - best));
  Sampler sampler({1, 0, 1, 0, 1}, count);
  for (size_t step = 0; step < 500; ++step) {
    double point = drawPoint(3, 0, step);
    int64_t token = 0;
    ASSERT_EQ(sampler.choose(scores.data(), point, token), std::nullopt);
    double below = token == 0 ? 0 : sums[token - 1];
    EXPECT_LE(below / sum, point + 1e-6);
    EXPECT_GT(sums[token] / sum, point - 1e-6);
  }
  int64_t token = 0;
  ASSERT_EQ(sampler.choose(scores.data(), 1, token), std::nullopt);
  EXPECT_GT(shares::getShare(scores[token], static_cast<float>(best)), 0u);
}

/// Tokens that stay after `sampling`.
static std::vector<size_t> keep(const Sampling &sampling,
                                std::vector<float> scores) {
  Sampler sampler(sampling, scores.size());
  EXPECT_EQ(sampler.filter(scores.data(), nullptr), std::nullopt);
  std::vector<size_t> kept;
  for (size_t token = 0; token < scores.size(); ++token)
    if (!std::isinf(scores[token]))
      kept.push_back(token);
  return kept;
}

TEST(SamplingTest, FiltersKeepTies) {
  using Tokens = std::vector<size_t>;
  std::vector<float> tied = {1, 3, 2, 3, 2, 2};
  EXPECT_EQ(keep({1, 2, 1, 0, 1}, tied), (Tokens{1, 3}));
  EXPECT_EQ(keep({1, 3, 1, 0, 1}, tied), (Tokens{1, 2, 3, 4, 5}));
  // Of equal ones the last.
  EXPECT_EQ(keep({1, 0, 0, 0, 1}, tied), (Tokens{3}));
  EXPECT_EQ(keep({1, 0, 0.35, 0, 1}, tied), (Tokens{1, 3}));
  EXPECT_EQ(keep({1, 0, 0.65, 0, 1}, tied), (Tokens{1, 3, 5}));
  EXPECT_EQ(keep({1, 0, 0.7, 0, 1}, {0, 0, 0, 0}), (Tokens{1, 2, 3}));
  EXPECT_EQ(keep({1, 0, 0.75, 0, 1}, {0, 0, 0, 0}), (Tokens{1, 2, 3}));
  EXPECT_EQ(keep({1, 0, 0.76, 0, 1}, {0, 0, 0, 0}), (Tokens{0, 1, 2, 3}));
  EXPECT_EQ(keep({1, 0, 1, 0.36, 1}, tied), (Tokens{1, 2, 3, 4, 5}));
  EXPECT_EQ(keep({1, 0, 1, 0.37, 1}, tied), (Tokens{1, 3}));
  EXPECT_EQ(keep({1, 0, 1, 1, 1}, tied), (Tokens{1, 3}));
}
