//===- FamiliesVision.cpp - vit, layerscale, vit-22b ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Their input is embedded patches, so they have neither an embedding nor a
// head.
//
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

/// 14 x 14 patches and a class token: the length where no flag gives one.
static constexpr int64_t imageTokens = 197;

static AttentionSpec visionAttention(const Sizes &sizes, bool qkvBias) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/false);
  attention.linears = {fused("attn.qkv", {Role::Q, Role::K, Role::V}, qkvBias),
                       linear("attn.proj", Role::O, /*bias=*/true)};
  return attention;
}

static MlpSpec visionMlp(const Sizes &sizes, Activation activation) {
  MlpSpec mlp = plainMlp(sizes, activation);
  mlp.linears = {linear("mlp.fc1", Role::Up, /*bias=*/true),
                 linear("mlp.fc2", Role::Down, /*bias=*/true)};
  return mlp;
}

static ModelSpec makeVit(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.layers =
      repeatLayers(sizes, "blocks.", [&](int64_t) -> std::vector<StepSpec> {
        return {preNormStep(layerNorm("norm1", 1e-6),
                            branch(visionAttention(sizes, true))),
                preNormStep(layerNorm("norm2", 1e-6),
                            branch(visionMlp(sizes, Activation::GeluTanh)))};
      });
  spec.stack.finalNorm = layerNorm("norm", 1e-6);
  spec.positions = imageTokens;
  return spec;
}

static ModelSpec makeLayerScale(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.layers =
      repeatLayers(sizes, "blocks.", [&](int64_t) -> std::vector<StepSpec> {
        BranchSpec attention = branch(visionAttention(sizes, true));
        attention.gain = "gamma_1";
        BranchSpec mlp = branch(visionMlp(sizes, Activation::GeluErf));
        mlp.gain = "gamma_2";
        return {preNormStep(layerNorm("norm1", 1e-6), attention),
                preNormStep(layerNorm("norm2", 1e-6), mlp)};
      });
  spec.stack.finalNorm = layerNorm("norm", 1e-6);
  spec.positions = imageTokens;
  return spec;
}

static ModelSpec makeVit22b(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.layers =
      repeatLayers(sizes, "blocks.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = visionAttention(sizes, /*qkvBias=*/false);
        attention.qkNorm.emplace();
        attention.qkNorm->q = layerNorm("attn.q_norm", 1e-6, /*bias=*/false);
        attention.qkNorm->k = layerNorm("attn.k_norm", 1e-6, /*bias=*/false);
        return {parallelStep(rmsNorm("norm"), branch(attention),
                             branch(visionMlp(sizes, Activation::GeluTanh)))};
      });
  spec.stack.finalNorm = rmsNorm("norm");
  spec.positions = imageTokens;
  return spec;
}

llvm::ArrayRef<Family> getVisionFamilies() {
  static constexpr Family families[] = {
      {"vit", {12, 768, 12, 12, 64, 3072, 0}, makeVit},
      {"layerscale", {12, 768, 12, 12, 64, 3072, 0}, makeLayerScale},
      {"vit-22b", {48, 6144, 48, 48, 128, 24576, 0}, makeVit22b}};
  return families;
}

} // namespace parablock::generate
