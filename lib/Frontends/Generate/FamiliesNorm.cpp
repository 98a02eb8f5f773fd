//===- FamiliesNorm.cpp - describes gemma, olmo2, granite, peri-ln --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LlamaParts.h"

#include <cmath>

using parablock::block::Activation;

namespace parablock::generate {

/// Returns an RMSNorm with a stored gain of the effective gain minus one.
static NormSpec gemmaNorm(const std::string &name) {
  NormSpec norm = rmsNorm(name);
  norm.gammaForm = block::GammaForm::OnePlus;
  return norm;
}

/// Norms before and after each branch.
static std::vector<StepSpec>
periSteps(BranchSpec attention, BranchSpec mlp,
          llvm::function_ref<NormSpec(const std::string &)> makeNorm) {
  attention.postNorm = makeNorm("post_attention_layernorm");
  mlp.postNorm = makeNorm("post_feedforward_layernorm");
  return {preNormStep(makeNorm("input_layernorm"), std::move(attention)),
          preNormStep(makeNorm("pre_feedforward_layernorm"), std::move(mlp))};
}

static ModelSpec makeGemma(const Sizes &sizes) {
  ModelSpec spec = makeLlamaLike(
      sizes, gemmaNorm("model.norm"), true,
      [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = llamaProjections();
        return {preNormStep(gemmaNorm("input_layernorm"), branch(attention)),
                preNormStep(gemmaNorm("post_attention_layernorm"),
                            branch(llamaMlp(sizes, Activation::GeluTanh)))};
      });
  spec.stack.embedding->scale = std::sqrt(double(sizes.width));
  return spec;
}

static ModelSpec makeGemma2(const Sizes &sizes) {
  ModelSpec spec =
      makeLlamaLike(sizes, gemmaNorm("model.norm"), true, [&](int64_t index) {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.scores.scale = 1 / std::sqrt(256.0);
        attention.scores.softcap = 50;
        attention.scores.order = block::ScoreOrder::ScaleCapBias;
        if (index % 2 == 0)
          attention.scores.window = 4096;
        attention.linears = llamaProjections();
        return periSteps(branch(attention),
                         branch(llamaMlp(sizes, Activation::GeluTanh)),
                         gemmaNorm);
      });
  spec.stack.embedding->scale = std::sqrt(double(sizes.width));
  spec.head->softcap = 30;
  return spec;
}

static ModelSpec makeOlmo2(const Sizes &sizes) {
  auto norm = [](const std::string &name) { return rmsNorm(name); };
  return makeLlamaLike(
      sizes, norm("model.norm"), false, [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes, 5e5);
        attention.linears = llamaProjections();
        attention.qkNorm.emplace();
        attention.qkNorm->extent = block::QkNormExtent::Whole;
        attention.qkNorm->q = norm("self_attn.q_norm");
        attention.qkNorm->k = norm("self_attn.k_norm");
        StepSpec first, second;
        first.branches = {branch(attention)};
        first.branches[0].postNorm = norm("post_attention_layernorm");
        second.branches = {branch(llamaMlp(sizes))};
        second.branches[0].postNorm = norm("post_feedforward_layernorm");
        return {first, second};
      });
}

static ModelSpec makeGranite(const Sizes &sizes) {
  ModelSpec spec =
      makeLlamaLike(sizes, llamaNorm("model.norm", 1e-5), true, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.scores.scale = 0.015625;
        attention.linears = llamaProjections();
        auto steps = serialLlamaSteps(attention, llamaMlp(sizes), 1e-5);
        for (StepSpec &step : steps)
          step.branches[0].scale = 0.22;
        return steps;
      });
  spec.stack.embedding->scale = 12;
  spec.head->scale = 1.0 / 8;
  return spec;
}

static ModelSpec makePeriLn(const Sizes &sizes) {
  return makeLlamaLike(sizes, layerNorm("model.norm"), false, [&](int64_t) {
    AttentionSpec attention = rotaryAttention(sizes);
    attention.linears = llamaProjections();
    return periSteps(branch(attention), branch(llamaMlp(sizes)),
                     [](const std::string &name) { return layerNorm(name); });
  });
}

llvm::ArrayRef<Family> getNormFamilies() {
  static constexpr Family families[] = {
      {"gemma", {28, 3072, 16, 16, 256, 24576, 256000, 0, 256}, makeGemma},
      {"gemma2", {26, 2304, 8, 4, 256, 9216, 256000, 0, 256}, makeGemma2},
      {"olmo2", {32, 4096, 32, 32, 128, 11008, 100352, 0, 128}, makeOlmo2},
      {"granite", {40, 2048, 32, 8, 64, 8192, 49155, 0, 64}, makeGranite},
      {"peri-ln", {24, 1024, 16, 16, 64, 2816, 50304, 0, 64}, makePeriLn}};
  return families;
}

} // namespace parablock::generate
