//===- FamiliesAlibi.cpp - describes bloom and mpt ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

static AttentionSpec alibiAttention(const Sizes &sizes) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
  attention.scores.alibiMax = 8;
  return attention;
}

static ModelSpec makeBloom(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.word_embeddings.weight");
  spec.stack.embedding->norm =
      layerNorm("transformer.word_embeddings_layernorm");
  spec.stack.layers = repeatLayers(
      sizes, "transformer.h.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = alibiAttention(sizes);
        attention.linears = {
            fused("self_attention.query_key_value", {Role::Q, Role::K, Role::V},
                  /*bias=*/true, /*groups=*/sizes.kvHeads),
            linear("self_attention.dense", Role::O, /*bias=*/true)};
        MlpSpec mlp = plainMlp(sizes, Activation::GeluTanh);
        mlp.linears = {linear("mlp.dense_h_to_4h", Role::Up, /*bias=*/true),
                       linear("mlp.dense_4h_to_h", Role::Down, /*bias=*/true)};
        return {
            preNormStep(layerNorm("input_layernorm"), branch(attention)),
            preNormStep(layerNorm("post_attention_layernorm"), branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm("transformer.ln_f");
  spec.head = head(sizes, "transformer.word_embeddings.weight");
  return spec;
}

static ModelSpec makeMpt(const Sizes &sizes) {
  auto norm = [](const std::string &name) {
    return layerNorm(name, 1e-5, /*bias=*/false);
  };
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.wte.weight");
  spec.stack.layers = repeatLayers(
      sizes, "transformer.blocks.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = alibiAttention(sizes);
        attention.linears = {fused("attn.Wqkv", {Role::Q, Role::K, Role::V}),
                             linear("attn.out_proj", Role::O)};
        MlpSpec mlp = plainMlp(sizes, Activation::GeluErf);
        mlp.linears = {linear("ffn.up_proj", Role::Up),
                       linear("ffn.down_proj", Role::Down)};
        return {preNormStep(norm("norm_1"), branch(attention)),
                preNormStep(norm("norm_2"), branch(mlp))};
      });
  spec.stack.finalNorm = norm("transformer.norm_f");
  spec.head = head(sizes, "transformer.wte.weight");
  return spec;
}

llvm::ArrayRef<Family> getAlibiFamilies() {
  static constexpr Family families[] = {
      {"bloom", {30, 4096, 32, 32, 128, 16384, 250880}, makeBloom},
      {"mpt", {32, 4096, 32, 32, 128, 16384, 50432}, makeMpt}};
  return families;
}

} // namespace parablock::generate
