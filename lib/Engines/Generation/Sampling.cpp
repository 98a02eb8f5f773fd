//===- Sampling.cpp - filters logits and draws tokens ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Sampling.h"

#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace parablock;
using namespace parablock::generation;
using llvm::ArrayRef;
using llvm::Error;
using llvm::MutableArrayRef;

static constexpr float out = -std::numeric_limits<float>::infinity();

static std::string print(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

static Error checkRange(const char *name, double value, double least,
                        double most) {
  if (std::isfinite(value) && least <= value && value <= most)
    return Error::success();
  std::string end = std::isfinite(most) ? "to " + print(most) : "on";
  return llvm::createStringError(llvm::Twine(name) +
                                 ": expected a number from " + print(least) +
                                 " " + end + ", got " + print(value));
}

Error Sampling::check() const {
  constexpr double noEnd = std::numeric_limits<double>::infinity();
  if (Error error = checkRange("temperature", temperature, 0, noEnd))
    return error;
  if (Error error = checkRange("top_p", topP, 0, 1))
    return error;
  if (Error error = checkRange("min_p", minP, 0, 1))
    return error;
  if (Error error =
          checkRange("repetition_penalty", repetitionPenalty, 0, noEnd))
    return error;
  if (repetitionPenalty == 0)
    return llvm::createStringError(
        "repetition_penalty: expected more than 0, got 0");
  if (topK < 0)
    return llvm::createStringError(
        "top_k: expected 0 (all tokens) or more, got " + llvm::Twine(topK));
  return Error::success();
}

double generation::drawPoint(uint64_t seed, size_t row, size_t step) {
  // A name on the stack: steps take no memory.
  llvm::SmallString<32> name;
  ("row." + llvm::Twine(row)).toVector(name);
  return SeededStream(seed, name).uniform(step);
}

Sampler::Sampler(const Sampling &sampling, size_t vocabulary)
    : sampling(sampling) {
  if (sampling.temperature == 0)
    return;
  order.resize(vocabulary);
  shares.resize(vocabulary);
}

/// Makes tokens that the row contains less likely by a factor.
static void penalise(MutableArrayRef<float> scores, ArrayRef<uint8_t> seen,
                     float penalty) {
  for (auto [score, isSeen] : llvm::zip_equal(scores, seen))
    if (isSeen)
      score = score < 0 ? score * penalty : score / penalty;
}

llvm::Expected<Sampler::Best> Sampler::findBest(ArrayRef<float> scores) {
  size_t best = 0;
  bool areNumbers = !scores.empty();
  for (auto [token, score] : llvm::enumerate(scores)) {
    areNumbers &= !std::isnan(score);
    if (score > scores[best])
      best = token;
  }
  if (!areNumbers || !std::isfinite(scores[best]))
    return llvm::createStringError(
        "expected logits with a largest number among them, got NaN or infinite "
        "ones");
  return Best{best, scores[best]};
}

llvm::Expected<Sampler::Best> Sampler::keepWanted(MutableArrayRef<float> scores,
                                                  ArrayRef<uint8_t> seen) {
  if (sampling.repetitionPenalty != 1)
    penalise(scores, seen, static_cast<float>(sampling.repetitionPenalty));
  if (sampling.temperature == 0)
    return findBest(scores);
  if (sampling.temperature != 1)
    for (float &score : scores)
      score /= static_cast<float>(sampling.temperature);
  // NaN scores have no order.
  llvm::Expected<Best> best = findBest(scores);
  if (!best)
    return best.takeError();
  if (sampling.topK > 0)
    keepBest(scores);
  if (sampling.topP < 1)
    keepMass(scores);
  if (sampling.minP > 0)
    keepLikely(scores);
  return best;
}

Error Sampler::filter(MutableArrayRef<float> scores, ArrayRef<uint8_t> seen) {
  return keepWanted(scores, seen).takeError();
}

/// Keeps the best `topK` tokens, and ties of the last of these.
void Sampler::keepBest(MutableArrayRef<float> scores) {
  if (static_cast<uint64_t>(sampling.topK) >= scores.size())
    return;
  std::iota(order.begin(), order.end(), 0);
  auto last = order.begin() + (sampling.topK - 1);
  std::nth_element(
      order.begin(), last, order.end(),
      [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  float least = scores[*last];
  for (float &score : scores)
    if (score < least)
      score = out;
}

/// Keeps the smallest set of best tokens with a share of `topP` in the sum; of
/// equal ones the last.
void Sampler::keepMass(MutableArrayRef<float> scores) {
  double best = *std::max_element(scores.begin(), scores.end()), sum = 0;
  for (float score : scores)
    sum += std::exp(score - best);
  std::iota(order.begin(), order.end(), 0);
  auto isBetter = [&](uint32_t a, uint32_t b) {
    return scores[a] == scores[b] ? a > b : scores[a] > scores[b];
  };
  // Few tokens suffice most of the time, so no more are sorted than necessary.
  constexpr size_t first = 64, growth = 8;
  double wanted = sampling.topP * sum, above = 0;
  size_t kept = 0, sorted = 0;
  for (; kept < order.size() && (kept == 0 || above < wanted); ++kept) {
    if (kept == sorted) {
      sorted = std::min(order.size(), std::max(first, sorted * growth));
      std::partial_sort(order.begin() + kept, order.begin() + sorted,
                        order.end(), isBetter);
    }
    above += std::exp(scores[order[kept]] - best);
  }
  for (uint32_t token : ArrayRef(order).drop_front(kept))
    scores[token] = out;
}

/// Keeps tokens of at least `minP` of the best one's probability.
void Sampler::keepLikely(MutableArrayRef<float> scores) const {
  double best = *std::max_element(scores.begin(), scores.end());
  double least = best + std::log(sampling.minP);
  for (float &score : scores)
    if (score < least)
      score = out;
}

llvm::Expected<int64_t> Sampler::choose(ArrayRef<float> scores, double point) {
  llvm::Expected<Best> best = findBest(scores);
  if (!best)
    return best.takeError();
  return choose(scores, *best, point);
}

llvm::Expected<int64_t> Sampler::draw(MutableArrayRef<float> scores,
                                      ArrayRef<uint8_t> seen, double point) {
  llvm::Expected<Best> best = keepWanted(scores, seen);
  if (!best)
    return best.takeError();
  return choose(scores, *best, point);
}

int64_t Sampler::choose(ArrayRef<float> scores, Best best, double point) {
  if (sampling.temperature == 0)
    return static_cast<int64_t>(best.token);
  double sum = 0;
  for (auto [share, score] : llvm::zip_equal(shares, scores)) {
    share = score == out ? 0 : std::exp(double(score) - best.score);
    sum += share;
  }
  double wanted = point * sum, below = 0;
  for (auto [token, share] : llvm::enumerate(shares)) {
    below += share;
    if (below > wanted)
      return static_cast<int64_t>(token);
  }
  // Only a point of 1 comes here.
  auto last = std::find_if(shares.rbegin(), shares.rend(),
                           [](double share) { return share > 0; });
  return static_cast<int64_t>(shares.rend() - last) - 1;
}
