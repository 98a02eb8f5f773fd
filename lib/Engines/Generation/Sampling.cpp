//===- Sampling.cpp - filters logits and draws tokens ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Sampling.h"

#include "parablock/Support/SeededBits.h"
#include "parablock/Support/TokenShares.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

using namespace parablock;
using namespace parablock::generation;
using files::fail;

static constexpr float out = -std::numeric_limits<float>::infinity();

static std::string print(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", number);
  return text;
}

static Status checkRange(const char *name, double value, double least,
                         double most) {
  if (std::isfinite(value) && least <= value && value <= most)
    return {};
  std::string end = std::isfinite(most) ? "to " + print(most) : "on";
  return fail(std::string(name) + ": expected a number from " + print(least) +
              " " + end + ", got " + print(value));
}

Status Sampling::check() const {
  constexpr double noEnd = std::numeric_limits<double>::infinity();
  if (Status failure = checkRange("temperature", temperature, 0, noEnd))
    return failure;
  if (Status failure = checkRange("top_p", topP, 0, 1))
    return failure;
  if (Status failure = checkRange("min_p", minP, 0, 1))
    return failure;
  if (Status failure =
          checkRange("repetition_penalty", repetitionPenalty, 0, noEnd))
    return failure;
  if (repetitionPenalty == 0)
    return fail("repetition_penalty: expected more than 0, got 0");
  if (topK < 0)
    return fail("top_k: expected 0 (all tokens) or more, got " +
                std::to_string(topK));
  return {};
}

SeededBits generation::getRowStream(uint64_t seed, size_t row) {
  // A name on the stack: steps take no memory.
  char name[32];
  int length = std::snprintf(name, sizeof(name), "row.%zu", row);
  return {seed, {name, static_cast<size_t>(length)}};
}

double generation::drawPoint(uint64_t seed, size_t row, size_t step) {
  return getRowStream(seed, row).uniform(step);
}

Sampler::Sampler(const Sampling &sampling, size_t vocabulary)
    : sampling(sampling), vocabulary(vocabulary) {
  if (sampling.temperature == 0)
    return;
  order.resize(vocabulary);
  shares.resize(vocabulary);
}

/// Makes tokens that the row contains less likely by a factor.
static void penalise(float *scores, const uint8_t *seen, size_t vocabulary,
                     float penalty) {
  for (size_t token = 0; token < vocabulary; ++token)
    if (float &score = scores[token]; seen[token])
      score = score < 0 ? score * penalty : score / penalty;
}

Status Sampler::findBest(const float *scores, Best &best) const {
  size_t token = 0;
  bool areNumbers = vocabulary > 0;
  for (size_t other = 0; other < vocabulary; ++other) {
    areNumbers &= !std::isnan(scores[other]);
    if (scores[other] > scores[token])
      token = other;
  }
  if (!areNumbers || !std::isfinite(scores[token]))
    return fail(noNumbers);
  best = {token, scores[token]};
  return {};
}

/// The share from which on `minP` keeps tokens.
uint64_t Sampler::getLeastShare() const {
  return shares::getLeast(sampling.minP, shares::whole);
}

Status Sampler::keepWanted(float *scores, const uint8_t *seen, Best &best) {
  if (sampling.repetitionPenalty != 1)
    penalise(scores, seen, vocabulary,
             static_cast<float>(sampling.repetitionPenalty));
  if (sampling.temperature == 0)
    return findBest(scores, best);
  if (sampling.temperature != 1)
    for (size_t token = 0; token < vocabulary; ++token)
      scores[token] /= static_cast<float>(sampling.temperature);
  // NaN scores have no order.
  if (Status failure = findBest(scores, best))
    return failure;
  // Shares are computed once, of tokens that are not excluded before.
  bool isOfAll = sampling.topP < 1 || sampling.minP == 0;
  double reach = isOfAll ? std::numeric_limits<double>::infinity()
                         : shares::getReach(getLeastShare());
  float least = sampling.topK > 0 ? findLeast(scores) : out;
  for (size_t token = 0; token < vocabulary; ++token)
    if (scores[token] < least || best.score - scores[token] >= reach)
      drop(scores, token);
    else
      shares[token] = shares::getShare(scores[token], best.score);
  if (sampling.topP < 1)
    keepMass(scores);
  if (isOfAll && sampling.minP > 0)
    keepLikely(scores);
  return {};
}

Status Sampler::filter(float *scores, const uint8_t *seen) {
  Best best;
  return keepWanted(scores, seen, best);
}

void Sampler::drop(float *scores, size_t token) {
  scores[token] = out;
  shares[token] = 0;
}

/// Ties of the last of the best tokens stay.
float Sampler::findLeast(const float *scores) {
  if (static_cast<uint64_t>(sampling.topK) >= vocabulary)
    return out;
  std::iota(order.begin(), order.end(), 0);
  auto last = order.begin() + (sampling.topK - 1);
  std::nth_element(
      order.begin(), last, order.end(),
      [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  return scores[*last];
}

/// Keeps the smallest set of best tokens with a share of `topP` in the sum; of
/// equal ones the last.
void Sampler::keepMass(float *scores) {
  // A token without a share is never needed.
  size_t count = 0;
  uint64_t sum = 0;
  for (size_t token = 0; token < vocabulary; ++token)
    if (shares[token] > 0) {
      sum += shares[token];
      order[count++] = static_cast<uint32_t>(token);
    } else {
      scores[token] = out;
    }
  auto isBetter = [&](uint32_t a, uint32_t b) {
    return scores[a] == scores[b] ? a > b : scores[a] > scores[b];
  };
  // Few tokens suffice most of the time, so no more are sorted than necessary.
  constexpr size_t first = 64, growth = 8;
  uint64_t wanted = shares::getLeast(sampling.topP, sum), above = 0;
  size_t kept = 0, sorted = 0;
  for (; kept < count && (kept == 0 || above < wanted); ++kept) {
    if (kept == sorted) {
      sorted = std::min(count, std::max(first, sorted * growth));
      std::partial_sort(order.begin() + kept, order.begin() + sorted,
                        order.begin() + count, isBetter);
    }
    above += shares[order[kept]];
  }
  for (; kept < count; ++kept)
    drop(scores, order[kept]);
}

/// Keeps tokens of at least `minP` of the best one's share.
void Sampler::keepLikely(float *scores) {
  uint64_t least = getLeastShare();
  for (size_t token = 0; token < vocabulary; ++token)
    if (shares[token] < least)
      drop(scores, token);
}

Status Sampler::choose(const float *scores, double point, int64_t &token) {
  Best best;
  if (Status failure = findBest(scores, best))
    return failure;
  if (sampling.temperature != 0)
    for (size_t other = 0; other < vocabulary; ++other)
      shares[other] = shares::getShare(scores[other], best.score);
  token = choose(best, point);
  return {};
}

Status Sampler::draw(float *scores, const uint8_t *seen, double point,
                     int64_t &token) {
  Best best;
  if (Status failure = keepWanted(scores, seen, best))
    return failure;
  token = choose(best, point);
  return {};
}

int64_t Sampler::choose(Best best, double point) const {
  if (sampling.temperature == 0)
    return static_cast<int64_t>(best.token);
  uint64_t sum = std::accumulate(shares.begin(), shares.end(), uint64_t(0));
  uint64_t bound = shares::getBound(point, sum), below = 0;
  size_t token = 0;
  while ((below += shares[token]) <= bound)
    ++token;
  return static_cast<int64_t>(token);
}
