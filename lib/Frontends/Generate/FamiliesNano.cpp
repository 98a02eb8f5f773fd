//===- FamiliesNano.cpp - describes nanogpt-modern, nanogpt-palm ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

/// Returns an RMSNorm without a gain, with the smallest epsilon in f32.
static NormSpec bareNorm() {
  NormSpec norm;
  norm.kind = block::NormKind::Rms;
  norm.eps = 1.1920928955078125e-7;
  return norm;
}

/// Rotated by a table in bf16, then normalised.
static BranchSpec nanoAttention(const Sizes &sizes) {
  AttentionSpec attention = rotaryAttention(sizes);
  attention.rope->tableType = TableType::BF16;
  attention.qkNorm.emplace();
  attention.qkNorm->q = attention.qkNorm->k = bareNorm();
  attention.qkNorm->place = block::QkNormPlace::AfterRope;
  attention.linears = separateProjections(
      "attn.", {"c_q", "c_k", "c_v", "c_proj"}, false, false);
  return branch(attention);
}

static BranchSpec nanoMlp(const Sizes &sizes) {
  MlpSpec mlp = plainMlp(sizes, Activation::ReluSquared);
  mlp.linears = {linear("mlp.c_fc", Role::Up),
                 linear("mlp.c_proj", Role::Down)};
  return branch(mlp);
}

static ModelSpec
makeNano(const Sizes &sizes,
         llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.wte.weight");
  spec.stack.layers = repeatLayers(sizes, "transformer.h.", makeSteps);
  spec.stack.finalNorm = bareNorm();
  spec.head = head(sizes, "transformer.wte.weight");
  return spec;
}

static ModelSpec makeModern(const Sizes &sizes) {
  return makeNano(sizes, [&](int64_t) -> std::vector<StepSpec> {
    return {preNormStep(bareNorm(), nanoAttention(sizes)),
            preNormStep(bareNorm(), nanoMlp(sizes))};
  });
}

/// Both branches are scaled by this literal, which is not 1 / sqrt(2).
static constexpr double branchScale = 0.7071;

static ModelSpec makePalm(const Sizes &sizes) {
  return makeNano(sizes, [&](int64_t) -> std::vector<StepSpec> {
    StepSpec step =
        parallelStep(bareNorm(), nanoAttention(sizes), nanoMlp(sizes));
    for (BranchSpec &branch : step.branches)
      branch.scale = branchScale;
    return {step};
  });
}

llvm::ArrayRef<Family> getNanoFamilies() {
  static constexpr Sizes published = {12, 768, 6, 6, 128, 3072, 50304, 0, 128};
  static constexpr Family families[] = {
      {"nanogpt-modern", published, makeModern},
      {"nanogpt-palm", published, makePalm}};
  return families;
}

} // namespace parablock::generate
