//===- Sampling.h - choice of the next token --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Filters of logits, in the order of transformers, and a draw. The drawn token
// is a function of the logits and one number, so nothing here has state:
// docs/use/Generation.md defines which number a seed gives to which token.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_SAMPLING_H
#define PARABLOCK_GENERATION_SAMPLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace parablock::generation {

/// How a token is chosen.
struct Sampling {
  /// 0 selects the most likely token.
  double temperature = 0;
  /// 0 for all tokens.
  int64_t topK = 0;
  double topP = 1, minP = 0, repetitionPenalty = 1;

  /// Fails, with an error that names the field, if a field is out of range.
  llvm::Error check() const;
};

/// Returns the number in (0, 1) that draws token `step` of row `row`.
double drawPoint(uint64_t seed, size_t row, size_t step);

/// Chooses tokens; memory is allocated once, for a fixed vocabulary size.
class Sampler {
public:
  Sampler(const Sampling &sampling, size_t vocabulary);

  /// Turns logits into scores whose softmax is the distribution of tokens;
  /// excluded tokens become minus infinity. `seen` is nonzero for tokens that
  /// the row contains, and may be empty without a penalty. Fails if no finite
  /// best score exists.
  llvm::Error filter(llvm::MutableArrayRef<float> scores,
                     llvm::ArrayRef<uint8_t> seen);

  /// Returns the best of filtered scores at temperature 0, and
  /// otherwise the first token whose cumulative share of the sum
  /// exceeds `point`.
  llvm::Expected<int64_t> choose(llvm::ArrayRef<float> scores, double point);

  /// Filters and chooses, searching for the best score once.
  llvm::Expected<int64_t> draw(llvm::MutableArrayRef<float> scores,
                               llvm::ArrayRef<uint8_t> seen, double point);

private:
  struct Best {
    size_t token = 0;
    float score = 0;
  };

  /// Finds the first of the best tokens. Fails if a score is NaN or the best
  /// one is infinite.
  static llvm::Expected<Best> findBest(llvm::ArrayRef<float> scores);
  /// Filters scores and returns the best one, whose score remains the largest.
  llvm::Expected<Best> keepWanted(llvm::MutableArrayRef<float> scores,
                                  llvm::ArrayRef<uint8_t> seen);
  int64_t choose(llvm::ArrayRef<float> scores, Best best, double point);
  void keepBest(llvm::MutableArrayRef<float> scores);
  void keepMass(llvm::MutableArrayRef<float> scores);
  void keepLikely(llvm::MutableArrayRef<float> scores) const;

  Sampling sampling;
  /// Tokens in descending order of score.
  std::vector<uint32_t> order;
  /// The share of each token in the sum.
  std::vector<double> shares;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_SAMPLING_H
