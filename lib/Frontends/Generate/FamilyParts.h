//===- FamilyParts.h - building blocks of the family table ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_FAMILYPARTS_H
#define PARABLOCK_LIB_GENERATE_FAMILYPARTS_H

#include "FamilyTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::generate {

/// Self-attention of these sizes, scaled by headDim^-0.5, without matrices.
AttentionSpec selfAttention(const Sizes &sizes, bool causal);

/// Adds a rotation with half-split pairs.
AttentionSpec rotaryAttention(const Sizes &sizes, double base = 10000);

/// A plain or gated MLP of these sizes, without matrices.
MlpSpec plainMlp(const Sizes &sizes, block::Activation activation);
MlpSpec gatedMlp(const Sizes &sizes, block::Activation activation);

/// Returns separate matrices, PREFIX + name: q, k, v and o in that order.
std::vector<StoredLinear>
separateProjections(const std::string &prefix,
                    const std::array<const char *, 4> &names, bool qkvBias,
                    bool outputBias);

BranchSpec branch(AttentionSpec attention);
BranchSpec branch(MlpSpec mlp);

/// x + F(N(x)).
StepSpec preNormStep(NormSpec norm, BranchSpec branch);
/// N(x + F(x)).
StepSpec postNormStep(NormSpec norm, BranchSpec branch);
/// x + A(N(x)) + F(N(x)).
StepSpec parallelStep(NormSpec norm, BranchSpec attention, BranchSpec mlp);
/// x + A(N1(x)) + F(N2(x)).
StepSpec parallelStep(NormSpec attentionNorm, BranchSpec attention,
                      NormSpec mlpNorm, BranchSpec mlp);

/// Returns layers PREFIX0, PREFIX1, ... created by `makeSteps`.
std::vector<LayerSpec>
repeatLayers(const Sizes &sizes, const std::string &prefix,
             llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps);

EmbeddingSpec tokens(const Sizes &sizes, std::string table);
void addPositions(EmbeddingSpec &embedding, const Sizes &sizes,
                  std::string table, int64_t offset = 0);
HeadSpec head(const Sizes &sizes, std::string weight);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_FAMILYPARTS_H
