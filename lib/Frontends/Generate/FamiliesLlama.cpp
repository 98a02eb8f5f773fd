//===- FamiliesLlama.cpp - describes llama, mistral, qwen, phi3 -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LlamaParts.h"

using parablock::block::Activation;

namespace parablock::generate {

NormSpec llamaNorm(const std::string &name, double eps) {
  NormSpec norm = rmsNorm(name, eps);
  norm.rounding = block::NormRounding::BeforeGain;
  return norm;
}

std::vector<StoredLinear> llamaProjections(bool qkvBias) {
  return separateProjections("self_attn.",
                             {"q_proj", "k_proj", "v_proj", "o_proj"}, qkvBias,
                             /*outputBias=*/false);
}

MlpSpec llamaMlp(const Sizes &sizes, Activation activation) {
  MlpSpec mlp = gatedMlp(sizes, activation);
  mlp.linears = {linear("mlp.gate_proj", Role::Gate),
                 linear("mlp.up_proj", Role::Up),
                 linear("mlp.down_proj", Role::Down)};
  return mlp;
}

ModelSpec
makeLlamaLike(const Sizes &sizes, NormSpec finalNorm, bool tied,
              llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "model.embed_tokens.weight");
  spec.stack.layers = repeatLayers(sizes, "model.layers.", makeSteps);
  spec.stack.finalNorm = std::move(finalNorm);
  spec.head =
      head(sizes, tied ? "model.embed_tokens.weight" : "lm_head.weight");
  return spec;
}

std::vector<StepSpec> serialLlamaSteps(AttentionSpec attention, MlpSpec mlp,
                                       double eps) {
  return {preNormStep(llamaNorm("input_layernorm", eps),
                      branch(std::move(attention))),
          preNormStep(llamaNorm("post_attention_layernorm", eps),
                      branch(std::move(mlp)))};
}

static ModelSpec makeLlama(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, llamaNorm("model.norm", 1e-6), false, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.linears = llamaProjections();
        return serialLlamaSteps(attention, llamaMlp(sizes), 1e-6);
      });
}

static ModelSpec makeMistral(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, llamaNorm("model.norm", 1e-5), false, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.scores.window = 4096;
        attention.linears = llamaProjections();
        return serialLlamaSteps(attention, llamaMlp(sizes), 1e-5);
      });
}

static ModelSpec makeQwen2(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, llamaNorm("model.norm", 1e-6), false, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes, 1e6);
        attention.linears = llamaProjections(/*qkvBias=*/true);
        return serialLlamaSteps(attention, llamaMlp(sizes), 1e-6);
      });
}

static ModelSpec makeQwen3(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, llamaNorm("model.norm", 1e-6), false, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes, 1e6);
        attention.linears = llamaProjections();
        attention.qkNorm.emplace();
        attention.qkNorm->q = llamaNorm("self_attn.q_norm", 1e-6);
        attention.qkNorm->k = llamaNorm("self_attn.k_norm", 1e-6);
        return serialLlamaSteps(attention, llamaMlp(sizes), 1e-6);
      });
}

static ModelSpec makePhi3(const Sizes &sizes) {
  return makeLlamaLike(
      sizes, llamaNorm("model.norm", 1e-5), false, [&](int64_t) {
        AttentionSpec attention = rotaryAttention(sizes);
        attention.scores.window = 2047;
        attention.linears = {
            fused("self_attn.qkv_proj", {Role::Q, Role::K, Role::V}),
            linear("self_attn.o_proj", Role::O)};
        MlpSpec mlp = gatedMlp(sizes, Activation::Silu);
        mlp.linears = {fused("mlp.gate_up_proj", {Role::Gate, Role::Up}),
                       linear("mlp.down_proj", Role::Down)};
        return serialLlamaSteps(attention, mlp, 1e-5);
      });
}

llvm::ArrayRef<Family> getLlamaFamilies() {
  static constexpr Family families[] = {
      {"llama", {32, 4096, 32, 32, 128, 11008, 32000, 0, 128}, makeLlama},
      {"mistral", {32, 4096, 32, 8, 128, 14336, 32000, 0, 128}, makeMistral},
      {"qwen2", {28, 3584, 28, 4, 128, 18944, 152064, 0, 128}, makeQwen2},
      {"qwen3", {36, 4096, 32, 8, 128, 12288, 151936, 0, 128}, makeQwen3},
      {"phi3", {32, 3072, 32, 32, 96, 8192, 32064, 0, 96}, makePhi3}};
  return families;
}

} // namespace parablock::generate
