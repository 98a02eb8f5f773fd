//===- Sampling.h - which token comes next ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Filters of logits as transformers has them, in its order, and a draw. What is
// drawn is a function of logits and of one number, so that nothing here has a
// state: docs/use/Generation.md says which number a seed gives to which token.
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
  /// 0 for the likeliest token.
  double temperature = 0;
  /// 0 for all tokens.
  int64_t topK = 0;
  double topP = 1, minP = 0, repetitionPenalty = 1;

  /// Fails, with an error that names it, where something is out of its range.
  llvm::Error check() const;
};

/// Gives the number in (0, 1) that token `step` of row `row` is drawn by.
double drawPoint(uint64_t seed, size_t row, size_t step);

/// Chooses tokens; memory is taken once, for one size of the vocabulary.
class Sampler {
public:
  Sampler(const Sampling &sampling, size_t vocabulary);

  /// Makes of logits the scores whose softmax tokens are drawn from: those that
  /// are out become minus infinity. `seen` is not 0 for tokens that the row has
  /// already, and may be empty without a penalty. Fails where there is no best
  /// one.
  llvm::Error filter(llvm::MutableArrayRef<float> scores,
                     llvm::ArrayRef<uint8_t> seen);

  /// Chooses the best of filtered scores at temperature 0, and otherwise the
  /// first token whose share of the sum, with those before it, is beyond
  /// `point`.
  llvm::Expected<int64_t> choose(llvm::ArrayRef<float> scores, double point);

  /// Does both, and looks for the best one once.
  llvm::Expected<int64_t> draw(llvm::MutableArrayRef<float> scores,
                               llvm::ArrayRef<uint8_t> seen, double point);

private:
  struct Best {
    size_t token = 0;
    float score = 0;
  };

  /// Finds the first of the best tokens. Fails where something is no number, or
  /// the best one is infinite.
  static llvm::Expected<Best> findBest(llvm::ArrayRef<float> scores);
  /// Filters; gives the best one, whose score stays what the largest one is.
  llvm::Expected<Best> keepWanted(llvm::MutableArrayRef<float> scores,
                                  llvm::ArrayRef<uint8_t> seen);
  int64_t choose(llvm::ArrayRef<float> scores, Best best, double point);
  void keepBest(llvm::MutableArrayRef<float> scores);
  void keepMass(llvm::MutableArrayRef<float> scores);
  void keepLikely(llvm::MutableArrayRef<float> scores) const;

  Sampling sampling;
  /// Tokens, from the best one on.
  std::vector<uint32_t> order;
  /// The share that each token has of the sum.
  std::vector<double> shares;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_SAMPLING_H
