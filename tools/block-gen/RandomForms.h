//===- RandomForms.h - random parts of random models ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every choice has a name and is a function of the seed and that name alone:
// new choices do not affect the others.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_GEN_RANDOMFORMS_H
#define PARABLOCK_TOOLS_BLOCK_GEN_RANDOMFORMS_H

#include "parablock/Frontends/Generate/ModelSpec.h"
#include "parablock/Support/SeededRandom.h"

namespace parablock::generate {

class Dice {
public:
  explicit Dice(uint64_t seed, std::string scope = "")
      : seed(seed), scope(std::move(scope)) {}

  /// Dice for a part: the same names mean other choices there.
  Dice in(const std::string &part) const {
    return Dice(seed, scope + part + "/");
  }
  /// 0 to count - 1.
  int64_t pick(const std::string &name, int64_t count) const {
    return stream(name).integer(0, count);
  }
  bool chance(const std::string &name, int percent) const {
    return pick(name, 100) < percent;
  }
  double real(const std::string &name, double low, double high) const {
    return low + (high - low) * stream(name).uniform(0);
  }
  template <typename T>
  T among(const std::string &name, std::initializer_list<T> choices) const {
    return choices.begin()[pick(name, choices.size())];
  }

private:
  SeededStream stream(const std::string &name) const {
    return SeededStream(seed, "random model/" + scope + name);
  }

  uint64_t seed;
  std::string scope;
};

/// The width of values may differ from that of queries and keys.
struct RandomSizes {
  int64_t layers, width, heads, kvHeads, headDim, valueHeadDim, hidden, vocab,
      positions;
};

/// Names are NAME.weight and NAME.bias.
NormSpec randomNorm(const Dice &dice, const std::string &name);

/// Returns the whole attention with its layout. If `spanned` is given, its
/// matrices are appended there instead.
AttentionSpec randomAttention(const Dice &dice, const RandomSizes &sizes,
                              const std::string &name, bool causal, bool cross,
                              int64_t layer);

MlpSpec randomMlp(const Dice &dice, const RandomSizes &sizes,
                  const std::string &name);

/// Replaces the branches' own matrices by ones that span both.
void spanBranches(const Dice &dice, StepSpec &step);

/// The steps of one layer, of a structure that all layers share.
std::vector<StepSpec> randomSteps(const Dice &model, const Dice &layer,
                                  const RandomSizes &sizes, bool causal,
                                  bool cross, int64_t index);

} // namespace parablock::generate

#endif // PARABLOCK_TOOLS_BLOCK_GEN_RANDOMFORMS_H
