//===- TokenShares.h - integer shares of tokens in a softmax ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arithmetic by which tokens are chosen. Processors and GPUs must choose
// the same token for the same logits, so no result may depend on the order of
// a sum, on a C library, or on contracted products. Shares are integers, and
// sums of them are exact:
//
//   behind  = best - score             in f32; 32 and more have a share of 0
//   steps   = floor(behind 2^26)
//   power   = floor(steps log2E / 2^25), for log2E = round(2^31 log2(e))
//   w, f    = floor(power / 2^32), power mod 2^32
//   h_6     = c_6, h_i = c_i - floor(f h_(i+1) / 2^32)   for i = 5 to 1
//   share   = floor((2^8 (2^32 - floor(f h_1 / 2^32)) + floor(2^w / 2)) / 2^w)
//
// A share differs from 2^40 exp(-behind) by at most 2^-25 of it, and then by
// at most a half: it is 2^40 for the best token. It never grows with `behind`.
// The sum for 2^22 tokens is below 2^63. lib/Conversion/BlockKernelsToTile
// emits the same formulas.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TOKENSHARES_H
#define PARABLOCK_SUPPORT_TOKENSHARES_H

#include <cstdint>

namespace parablock::shares {

/// Share of the best token.
constexpr uint64_t whole = uint64_t(1) << 40;
/// Tokens from this distance on have a share of 0.
constexpr float mostBehind = 32;
/// Steps of a score's distance for each unit.
constexpr float stepsPerUnit = 0x1p26f;
/// 2^31 times the binary logarithm of e.
constexpr uint64_t log2E = 3098164009;
/// c_1 to c_6: 2^32 times the coefficients of 2^-x = 1 - x (c_1 - x (c_2 -
/// ...)) for x from 0 to 1, with a relative error of at most 2^-28.
constexpr uint64_t coefficients[] = {2977043937, 1031755265, 238328358,
                                     41136673,   5469617,    466327};

/// Returns the share at a distance below `mostBehind`.
inline uint64_t getShareOf(uint32_t steps) {
  uint64_t power = (uint64_t(steps) * log2E) >> 25;
  uint64_t halvings = power >> 32, fraction = power & 0xFFFFFFFF;
  uint64_t sum = coefficients[5];
  for (int i = 4; i >= 0; --i)
    sum = coefficients[i] - ((fraction * sum) >> 32);
  uint64_t mantissa = (uint64_t(1) << 32) - ((fraction * sum) >> 32);
  uint64_t half = (uint64_t(1) << halvings) >> 1;
  return ((mantissa << 8) + half) >> halvings;
}

/// Returns the share of a token with the score `score` if the largest score is
/// `best`, which is finite.
inline uint64_t getShare(float score, float best) {
  float behind = best - score;
  if (!(behind < mostBehind))
    return 0;
  return getShareOf(static_cast<uint32_t>(behind * stepsPerUnit));
}

/// Returns the distance from which on shares are below `least`, which is from 1
/// to `whole`.
inline double getReach(uint64_t least) {
  uint32_t near = 0, far = uint32_t(1) << 31;
  while (far - near > 1) {
    uint32_t middle = near + (far - near) / 2;
    (getShareOf(middle) >= least ? near : far) = middle;
  }
  return static_cast<double>(far) / stepsPerUnit;
}

/// Returns the smallest sum of shares that is at least the part `part`, from 0
/// to 1, of `sum`; `part sum` is rounded once, in f64.
inline uint64_t getLeast(double part, uint64_t sum) {
  double product = part * static_cast<double>(sum);
  auto least = static_cast<uint64_t>(product);
  least += static_cast<double>(least) < product;
  return least < sum ? least : sum;
}

/// Returns the number that the sum of shares up to the chosen token exceeds:
/// `point` is from 0 to 1, `sum` at least 1.
inline uint64_t getBound(double point, uint64_t sum) {
  auto bound = static_cast<uint64_t>(point * static_cast<double>(sum));
  return bound < sum ? bound : sum - 1;
}

} // namespace parablock::shares

#endif // PARABLOCK_SUPPORT_TOKENSHARES_H
