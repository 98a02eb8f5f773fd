//===- FamiliesGpt2.cpp - describes gpt2, nanogpt, andrea, opt ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

/// GPT-2's names: fused q|k|v, matrices stored [in, out] where `inputMajor`.
static ModelSpec makeGpt2Like(const Sizes &sizes, const std::string &prefix,
                              Activation activation, bool inputMajor) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, prefix + "wte.weight");
  addPositions(*spec.stack.embedding, sizes, prefix + "wpe.weight");
  spec.stack.layers =
      repeatLayers(sizes, prefix + "h.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
        attention.linears = {
            fused("attn.c_attn", {Role::Q, Role::K, Role::V}, /*bias=*/true),
            linear("attn.c_proj", Role::O, /*bias=*/true)};
        MlpSpec mlp = plainMlp(sizes, activation);
        mlp.linears = {linear("mlp.c_fc", Role::Up, /*bias=*/true),
                       linear("mlp.c_proj", Role::Down, /*bias=*/true)};
        for (auto *linears : {&attention.linears, &mlp.linears})
          for (StoredLinear &stored : *linears)
            stored.inputMajor = inputMajor;
        return {preNormStep(layerNorm("ln_1"), branch(attention)),
                preNormStep(layerNorm("ln_2"), branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm(prefix + "ln_f");
  spec.head = head(sizes, prefix + "wte.weight");
  return spec;
}

static ModelSpec makeGpt2(const Sizes &sizes) {
  return makeGpt2Like(sizes, "", Activation::GeluTanh, /*inputMajor=*/true);
}

static ModelSpec makeNanoGpt(const Sizes &sizes) {
  return makeGpt2Like(sizes, "transformer.", Activation::GeluErf,
                      /*inputMajor=*/false);
}

static ModelSpec makeAndrea(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "wte.weight");
  addPositions(*spec.stack.embedding, sizes, "wpe.weight");
  spec.stack.layers =
      repeatLayers(sizes, "blocks.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
        attention.linears =
            separateProjections("attn.", {"q", "k", "v", "o"}, false, false);
        MlpSpec mlp = plainMlp(sizes, Activation::GeluTanh);
        mlp.linears = {linear("mlp.fc1", Role::Up, /*bias=*/true),
                       linear("mlp.fc2", Role::Down, /*bias=*/true)};
        return {preNormStep(layerNorm("ln1"), branch(attention)),
                preNormStep(layerNorm("ln2"), branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm("ln_f");
  spec.head = head(sizes, "wte.weight");
  return spec;
}

static ModelSpec makeOpt(const Sizes &sizes) {
  const std::string prefix = "model.decoder.";
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, prefix + "embed_tokens.weight");
  addPositions(*spec.stack.embedding, sizes, prefix + "embed_positions.weight",
               /*offset=*/2);
  spec.stack.layers = repeatLayers(
      sizes, prefix + "layers.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
        attention.linears = separateProjections(
            "self_attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, true,
            true);
        MlpSpec mlp = plainMlp(sizes, Activation::Relu);
        mlp.linears = {linear("fc1", Role::Up, /*bias=*/true),
                       linear("fc2", Role::Down, /*bias=*/true)};
        return {
            preNormStep(layerNorm("self_attn_layer_norm"), branch(attention)),
            preNormStep(layerNorm("final_layer_norm"), branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm(prefix + "final_layer_norm");
  spec.head = head(sizes, prefix + "embed_tokens.weight");
  return spec;
}

llvm::ArrayRef<Family> getGpt2Families() {
  static constexpr Family families[] = {
      {"gpt2", {12, 768, 12, 12, 64, 3072, 50257, 1024}, makeGpt2},
      {"nanogpt", {12, 768, 12, 12, 64, 3072, 50304, 1024}, makeNanoGpt},
      {"andrea", {12, 768, 12, 12, 64, 3072, 8449, 1024}, makeAndrea},
      {"opt", {12, 768, 12, 12, 64, 3072, 50272, 2048}, makeOpt}};
  return families;
}

} // namespace parablock::generate
