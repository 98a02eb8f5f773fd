//===- FamiliesSharedNorm.cpp - describes phi, command-r, stablelm --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LlamaParts.h"

using parablock::block::Activation;

namespace parablock::generate {

static ModelSpec makePhi(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "model.embed_tokens.weight");
  spec.stack.layers = repeatLayers(
      sizes, "model.layers.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = separateProjections(
            "self_attn.", {"q_proj", "k_proj", "v_proj", "dense"}, true, true);
        MlpSpec mlp = plainMlp(sizes, Activation::GeluTanh);
        mlp.linears = {linear("mlp.fc1", Role::Up, /*bias=*/true),
                       linear("mlp.fc2", Role::Down, /*bias=*/true)};
        return {parallelStep(layerNorm("input_layernorm"), branch(attention),
                             branch(mlp))};
      });
  spec.stack.finalNorm = layerNorm("model.final_layernorm");
  spec.head = head(sizes, "lm_head.weight");
  spec.head->bias = "lm_head.bias";
  return spec;
}

/// Returns a norm in which every head has separate gains, [heads, head width].
static NormSpec cohereHeadNorm(const std::string &name, int64_t heads,
                               int64_t headDim) {
  NormSpec norm;
  norm.gamma = StoredVector(name + ".weight", {heads, headDim});
  return norm;
}

static ModelSpec makeCommandR(const Sizes &sizes) {
  auto norm = [](const std::string &name) {
    return layerNorm(name, 1e-5, /*bias=*/false);
  };
  ModelSpec spec = makeLlamaLike(
      sizes, norm("model.norm"), true, [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes, 75e6);
        attention.rope->style = block::RopeStyle::Interleaved;
        attention.linears = llamaProjections();
        attention.qkNorm.emplace();
        attention.qkNorm->sharedByHeads = false;
        attention.qkNorm->q =
            cohereHeadNorm("self_attn.q_norm", sizes.heads, sizes.headDim);
        attention.qkNorm->k =
            cohereHeadNorm("self_attn.k_norm", sizes.kvHeads, sizes.headDim);
        return {parallelStep(norm("input_layernorm"), branch(attention),
                             branch(llamaMlp(sizes)))};
      });
  spec.head->scale = 0.0625;
  return spec;
}

static ModelSpec makeStableLm(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, layerNorm("model.norm"), false,
      [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = llamaProjections();
        return {preNormStep(layerNorm("input_layernorm"), branch(attention)),
                preNormStep(layerNorm("post_attention_layernorm"),
                            branch(llamaMlp(sizes)))};
      });
}

/// Returns a norm in which every head's gains are a separate tensor.
static NormSpec stableHeadNorm(const std::string &name, int64_t heads) {
  NormSpec norm;
  for (int64_t head = 0; head < heads; ++head)
    norm.gamma.names.push_back(name + ".norms." + std::to_string(head) +
                               ".weight");
  return norm;
}

static ModelSpec makeParallelStableLm(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, layerNorm("model.norm"), false,
      [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = llamaProjections();
        attention.qkNorm.emplace();
        attention.qkNorm->sharedByHeads = false;
        attention.qkNorm->q =
            stableHeadNorm("self_attn.q_layernorm", sizes.heads);
        attention.qkNorm->k =
            stableHeadNorm("self_attn.k_layernorm", sizes.kvHeads);
        return {parallelStep(layerNorm("input_layernorm"), branch(attention),
                             branch(llamaMlp(sizes)))};
      });
}

llvm::ArrayRef<Family> getSharedNormFamilies() {
  static constexpr Family families[] = {
      {"phi", {32, 2560, 32, 32, 80, 10240, 51200, 0, 32}, makePhi},
      {"command-r",
       {64, 12288, 96, 8, 128, 33792, 256000, 0, 128},
       makeCommandR},
      {"stablelm", {32, 2560, 32, 32, 80, 6912, 50304, 0, 20}, makeStableLm},
      {"stablelm-parallel",
       {40, 5120, 32, 8, 160, 13824, 100352, 0, 40},
       makeParallelStableLm}};
  return families;
}

} // namespace parablock::generate
