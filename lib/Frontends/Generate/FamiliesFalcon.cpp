//===- FamiliesFalcon.cpp - describes falcon-7b, falcon-40b, falcon-rw ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

/// Each group of the fused matrix contains its query heads, one key head and
/// one value head.
static BranchSpec falconAttention(AttentionSpec attention, bool bias) {
  attention.linears = {fused("self_attention.query_key_value",
                             {Role::Q, Role::K, Role::V}, bias,
                             /*groups=*/attention.kvHeads),
                       linear("self_attention.dense", Role::O, bias)};
  return branch(std::move(attention));
}

static BranchSpec falconMlp(const Sizes &sizes, bool bias) {
  MlpSpec mlp = plainMlp(sizes, Activation::GeluErf);
  mlp.linears = {linear("mlp.dense_h_to_4h", Role::Up, bias),
                 linear("mlp.dense_4h_to_h", Role::Down, bias)};
  return branch(mlp);
}

static ModelSpec
makeFalcon(const Sizes &sizes,
           llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.word_embeddings.weight");
  spec.stack.layers = repeatLayers(sizes, "transformer.h.", makeSteps);
  spec.stack.finalNorm = layerNorm("transformer.ln_f");
  spec.head = head(sizes, "transformer.word_embeddings.weight");
  return spec;
}

static ModelSpec makeFalcon7b(const Sizes &sizes) {
  return makeFalcon(sizes, [&](int64_t) -> std::vector<StepSpec> {
    return {parallelStep(layerNorm("input_layernorm"),
                         falconAttention(rotaryAttention(sizes), false),
                         falconMlp(sizes, false))};
  });
}

static ModelSpec makeFalcon40b(const Sizes &sizes) {
  return makeFalcon(sizes, [&](int64_t) -> std::vector<StepSpec> {
    return {parallelStep(layerNorm("ln_attn"),
                         falconAttention(rotaryAttention(sizes), false),
                         layerNorm("ln_mlp"), falconMlp(sizes, false))};
  });
}

/// Serial, with ALiBi divided by sqrt(head width) as the products are.
static ModelSpec makeFalconRw(const Sizes &sizes) {
  return makeFalcon(sizes, [&](int64_t) -> std::vector<StepSpec> {
    AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
    attention.scores.alibiMax = 8;
    attention.scores.order = block::ScoreOrder::BiasScaleCap;
    return {preNormStep(layerNorm("input_layernorm"),
                        falconAttention(attention, true)),
            preNormStep(layerNorm("post_attention_layernorm"),
                        falconMlp(sizes, true))};
  });
}

llvm::ArrayRef<Family> getFalconFamilies() {
  static constexpr Family families[] = {
      {"falcon-7b", {32, 4544, 71, 1, 64, 18176, 65024, 0, 64}, makeFalcon7b},
      {"falcon-40b",
       {60, 8192, 128, 8, 64, 32768, 65024, 0, 64},
       makeFalcon40b},
      {"falcon-rw", {24, 2048, 32, 32, 64, 8192, 50304}, makeFalconRw}};
  return families;
}

} // namespace parablock::generate
