//===- Sampling.h - choice of the next token --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Filters of logits, in the order of transformers, and a draw. The drawn token
// is a function of the logits and one number, so nothing here has state:
// docs/use/Generation.md defines which number a seed gives to which token. All
// sums are of integers (parablock/Support/TokenShares.h), so that block.sample
// chooses the same tokens on a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_SAMPLING_H
#define PARABLOCK_GENERATION_SAMPLING_H

#include "parablock/Files/Status.h"
#include "parablock/Support/SeededBits.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parablock::generation {

using files::Status;

/// How a token is chosen.
struct Sampling {
  /// 0 selects the most likely token.
  double temperature = 0;
  /// 0 for all tokens.
  int64_t topK = 0;
  double topP = 1, minP = 0, repetitionPenalty = 1;

  /// Fails, with an error that names the field, if a field is out of range.
  Status check() const;
};

/// Returns the numbers that draw the tokens of row `row`.
SeededBits getRowStream(uint64_t seed, size_t row);
/// Returns the number in (0, 1) that draws token `step` of row `row`.
double drawPoint(uint64_t seed, size_t row, size_t step);

/// Chooses tokens; memory is allocated once, for a fixed vocabulary size. All
/// arrays of scores have that size.
class Sampler {
public:
  Sampler(const Sampling &sampling, size_t vocabulary);

  /// The failure of logits without a best one.
  static constexpr char noNumbers[] =
      "expected logits with a largest number among them, got NaN or infinite "
      "ones";

  /// Turns logits into scores whose softmax is the distribution of tokens;
  /// excluded tokens become minus infinity. `seen` is nonzero for tokens that
  /// the row contains, and may be null without a penalty. Fails if no finite
  /// best score exists.
  Status filter(float *scores, const uint8_t *seen);

  /// Returns the best of filtered scores at temperature 0, and
  /// otherwise the first token whose cumulative share of the sum
  /// exceeds `point`.
  Status choose(const float *scores, double point, int64_t &token);

  /// Filters and chooses, searching for the best score once.
  Status draw(float *scores, const uint8_t *seen, double point, int64_t &token);

private:
  struct Best {
    size_t token = 0;
    float score = 0;
  };

  /// Finds the first of the best tokens. Fails if a score is NaN or the best
  /// one is infinite.
  Status findBest(const float *scores, Best &best) const;
  /// Filters scores and finds the best one, whose score remains the largest.
  Status keepWanted(float *scores, const uint8_t *seen, Best &best);
  /// Chooses by the shares of all tokens.
  int64_t choose(Best best, double point) const;
  /// Returns the least of the best `topK` scores.
  float findLeast(const float *scores);
  void keepMass(float *scores);
  void keepLikely(float *scores);
  uint64_t getLeastShare() const;
  void drop(float *scores, size_t token);

  Sampling sampling;
  size_t vocabulary;
  /// Tokens in descending order of score.
  std::vector<uint32_t> order;
  /// The share of each token, 0 of those that are excluded.
  std::vector<uint64_t> shares;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_SAMPLING_H
