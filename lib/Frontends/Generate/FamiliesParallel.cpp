//===- FamiliesParallel.cpp - describes gptj, mesh-v2, neox, palm ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

#include <numeric>

using parablock::block::Activation;

namespace parablock::generate {

/// Rotation of neighbouring pairs, as mesh-transformer-jax does it.
static AttentionSpec interleavedAttention(const Sizes &sizes) {
  AttentionSpec attention = rotaryAttention(sizes);
  attention.rope->style = block::RopeStyle::Interleaved;
  return attention;
}

/// GPT-J's names around the attention.
static ModelSpec
makeGptjLike(const Sizes &sizes,
             llvm::function_ref<AttentionSpec()> makeAttention) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.wte.weight");
  spec.stack.layers = repeatLayers(
      sizes, "transformer.h.", [&](int64_t) -> std::vector<StepSpec> {
        MlpSpec mlp = plainMlp(sizes, Activation::GeluTanh);
        mlp.linears = {linear("mlp.fc_in", Role::Up, /*bias=*/true),
                       linear("mlp.fc_out", Role::Down, /*bias=*/true)};
        return {parallelStep(layerNorm("ln_1"), branch(makeAttention()),
                             branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm("transformer.ln_f");
  spec.head = head(sizes, "lm_head.weight");
  spec.head->bias = "lm_head.bias";
  return spec;
}

static ModelSpec makeGptj(const Sizes &sizes) {
  return makeGptjLike(sizes, [&] {
    AttentionSpec attention = interleavedAttention(sizes);
    attention.linears = separateProjections(
        "attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, false, false);
    return attention;
  });
}

static ModelSpec makeCodegen(const Sizes &sizes) {
  return makeGptjLike(sizes, [&] {
    AttentionSpec attention = interleavedAttention(sizes);
    attention.scores.order = block::ScoreOrder::BiasScaleCap;
    // Published models have four shards; fewer heads have fewer.
    attention.linears = {fused("attn.qkv_proj", {Role::Q, Role::V, Role::K},
                               /*bias=*/false,
                               std::gcd<int64_t>(sizes.kvHeads, 4)),
                         linear("attn.out_proj", Role::O)};
    return attention;
  });
}

/// One input and one output projection; each shard holds its part of all.
static ModelSpec makeMeshV2(const Sizes &sizes) {
  int64_t shards = std::gcd(std::gcd<int64_t>(sizes.kvHeads, 8), sizes.hidden);
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "embed.weight");
  spec.stack.layers =
      repeatLayers(sizes, "layers.", [&](int64_t) -> std::vector<StepSpec> {
        StepSpec step =
            parallelStep(layerNorm("norm"), branch(interleavedAttention(sizes)),
                         branch(gatedMlp(sizes, Activation::GeluTanh)));
        StoredLinear output = fused("output_proj", {Role::O, Role::Down},
                                    /*bias=*/true, shards);
        output.columns = true;
        step.linears = {fused("input_proj",
                              {Role::Q, Role::V, Role::K, Role::Up, Role::Gate},
                              /*bias=*/true, shards),
                        output};
        return {step};
      });
  spec.stack.finalNorm = layerNorm("norm");
  spec.head = head(sizes, "proj.weight");
  spec.head->bias = "proj.bias";
  return spec;
}

static ModelSpec makeGptNeox(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "gpt_neox.embed_in.weight");
  spec.stack.layers = repeatLayers(
      sizes, "gpt_neox.layers.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = {fused("attention.query_key_value",
                                   {Role::Q, Role::K, Role::V},
                                   /*bias=*/true, /*groups=*/sizes.kvHeads),
                             linear("attention.dense", Role::O, /*bias=*/true)};
        MlpSpec mlp = plainMlp(sizes, Activation::GeluErf);
        mlp.linears = {linear("mlp.dense_h_to_4h", Role::Up, /*bias=*/true),
                       linear("mlp.dense_4h_to_h", Role::Down, /*bias=*/true)};
        return {parallelStep(layerNorm("input_layernorm"), branch(attention),
                             layerNorm("post_attention_layernorm"),
                             branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm("gpt_neox.final_layer_norm");
  spec.head = head(sizes, "embed_out.weight");
  return spec;
}

/// A sequence of modules, as PaLM-pytorch names them: the embedding is 0.
static ModelSpec makePalm(const Sizes &sizes) {
  auto norm = [](const std::string &name) {
    NormSpec norm;
    norm.gamma = name + ".gamma";
    return norm;
  };
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "0.weight");
  for (int64_t index = 0; index < sizes.layers; ++index) {
    StepSpec step = parallelStep(norm("norm"), branch(rotaryAttention(sizes)),
                                 branch(gatedMlp(sizes, Activation::Silu)));
    step.linears = {fused("fused_attn_ff_proj",
                          {Role::Q, Role::K, Role::V, Role::Up, Role::Gate}),
                    linear("attn_out", Role::O),
                    linear("ff_out.1", Role::Down)};
    spec.stack.layers.push_back({std::to_string(index + 1) + ".fn", {step}});
  }
  spec.stack.finalNorm = norm(std::to_string(sizes.layers + 1));
  spec.head = head(sizes, "0.weight");
  return spec;
}

llvm::ArrayRef<Family> getParallelFamilies() {
  static constexpr Family families[] = {
      {"gptj", {28, 4096, 16, 16, 256, 16384, 50400, 0, 64}, makeGptj},
      {"mesh-v2", {28, 4096, 16, 16, 256, 16384, 50400, 0, 64}, makeMeshV2},
      {"codegen", {33, 4096, 16, 16, 256, 16384, 51200, 0, 64}, makeCodegen},
      {"gpt-neox", {44, 6144, 64, 64, 96, 24576, 50432, 0, 24}, makeGptNeox},
      {"palm", {32, 4096, 16, 1, 256, 16384, 256000, 0, 256}, makePalm}};
  return families;
}

} // namespace parablock::generate
