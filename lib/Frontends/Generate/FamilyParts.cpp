//===- FamilyParts.cpp - steps and matrices shared by families ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

#include <cmath>

namespace parablock::generate {

AttentionSpec selfAttention(const Sizes &sizes, bool causal) {
  AttentionSpec attention;
  attention.heads = sizes.heads;
  attention.kvHeads = sizes.kvHeads;
  attention.headDim = attention.valueHeadDim = sizes.headDim;
  attention.scores.scale = 1 / std::sqrt(double(sizes.headDim));
  attention.scores.causal = causal;
  return attention;
}

AttentionSpec rotaryAttention(const Sizes &sizes, double base) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
  attention.rope.emplace();
  attention.rope->dim = sizes.ropeDim;
  attention.rope->base = base;
  return attention;
}

MlpSpec plainMlp(const Sizes &sizes, block::Activation activation) {
  MlpSpec mlp;
  mlp.hidden = sizes.hidden;
  mlp.activation = activation;
  return mlp;
}

MlpSpec gatedMlp(const Sizes &sizes, block::Activation activation) {
  MlpSpec mlp = plainMlp(sizes, activation);
  mlp.gated = true;
  return mlp;
}

std::vector<StoredLinear>
separateProjections(const std::string &prefix,
                    const std::array<const char *, 4> &names, bool qkvBias,
                    bool outputBias) {
  return {linear(prefix + names[0], Role::Q, qkvBias),
          linear(prefix + names[1], Role::K, qkvBias),
          linear(prefix + names[2], Role::V, qkvBias),
          linear(prefix + names[3], Role::O, outputBias)};
}

BranchSpec branch(AttentionSpec attention) {
  BranchSpec branch;
  branch.attention = std::move(attention);
  return branch;
}

BranchSpec branch(MlpSpec mlp) {
  BranchSpec branch;
  branch.mlp = std::move(mlp);
  return branch;
}

StepSpec preNormStep(NormSpec norm, BranchSpec branch) {
  StepSpec step;
  step.norm = std::move(norm);
  step.branches = {std::move(branch)};
  return step;
}

StepSpec postNormStep(NormSpec norm, BranchSpec branch) {
  StepSpec step;
  step.afterNorm = std::move(norm);
  step.branches = {std::move(branch)};
  return step;
}

StepSpec parallelStep(NormSpec norm, BranchSpec attention, BranchSpec mlp) {
  StepSpec step;
  step.norm = std::move(norm);
  step.branches = {std::move(attention), std::move(mlp)};
  return step;
}

StepSpec parallelStep(NormSpec attentionNorm, BranchSpec attention,
                      NormSpec mlpNorm, BranchSpec mlp) {
  attention.preNorm = std::move(attentionNorm);
  mlp.preNorm = std::move(mlpNorm);
  StepSpec step;
  step.branches = {std::move(attention), std::move(mlp)};
  return step;
}

std::vector<LayerSpec>
repeatLayers(const Sizes &sizes, const std::string &prefix,
             llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps) {
  std::vector<LayerSpec> layers;
  for (int64_t index = 0; index < sizes.layers; ++index)
    layers.push_back({prefix + std::to_string(index), makeSteps(index)});
  return layers;
}

EmbeddingSpec tokens(const Sizes &sizes, std::string table) {
  EmbeddingSpec embedding;
  embedding.table = std::move(table);
  embedding.vocab = sizes.vocab;
  return embedding;
}

void addPositions(EmbeddingSpec &embedding, const Sizes &sizes,
                  std::string table, int64_t offset) {
  embedding.positionTable = std::move(table);
  embedding.positionCount = sizes.positions + offset;
  embedding.positionOffset = offset;
}

HeadSpec head(const Sizes &sizes, std::string weight) {
  HeadSpec head;
  head.weight = std::move(weight);
  head.vocab = sizes.vocab;
  return head;
}

} // namespace parablock::generate
