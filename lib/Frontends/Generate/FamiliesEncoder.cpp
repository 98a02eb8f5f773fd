//===- FamiliesEncoder.cpp - describes bert, roberta and encoders ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

#include <cmath>

using parablock::block::Activation;

namespace parablock::generate {

//===----------------------------------------------------------------------===//
// BERT's names
//===----------------------------------------------------------------------===//

static ModelSpec makeBertLike(const Sizes &sizes, const std::string &prefix,
                              double eps, int64_t types) {
  ModelSpec spec;
  const std::string table = prefix + "embeddings.";
  spec.stack.embedding = tokens(sizes, table + "word_embeddings.weight");
  EmbeddingSpec &embedding = *spec.stack.embedding;
  addPositions(embedding, sizes, table + "position_embeddings.weight");
  embedding.typeTable = table + "token_type_embeddings.weight";
  embedding.typeCount = types;
  embedding.norm = layerNorm(table + "LayerNorm", eps);
  spec.stack.layers = repeatLayers(
      sizes, prefix + "encoder.layer.", [&](int64_t) -> std::vector<StepSpec> {
        AttentionSpec attention = selfAttention(sizes, /*causal=*/false);
        attention.linears = separateProjections(
            "attention.",
            {"self.query", "self.key", "self.value", "output.dense"}, true,
            true);
        MlpSpec mlp = plainMlp(sizes, Activation::GeluErf);
        mlp.linears = {linear("intermediate.dense", Role::Up, /*bias=*/true),
                       linear("output.dense", Role::Down, /*bias=*/true)};
        return {postNormStep(layerNorm("attention.output.LayerNorm", eps),
                             branch(attention)),
                postNormStep(layerNorm("output.LayerNorm", eps), branch(mlp))};
      });
  return spec;
}

static ModelSpec makeBert(const Sizes &sizes) {
  return makeBertLike(sizes, "bert.", 1e-12, /*types=*/2);
}

static ModelSpec makeRoberta(const Sizes &sizes) {
  ModelSpec spec = makeBertLike(sizes, "roberta.", 1e-5, /*types=*/1);
  // Positions count the real tokens from the padding id, 1, on.
  EmbeddingSpec &embedding = *spec.stack.embedding;
  embedding.padId = 1;
  embedding.positionCount += 2;
  return spec;
}

//===----------------------------------------------------------------------===//
// Plain encoders, with fairseq's names
//===----------------------------------------------------------------------===//

static BranchSpec encoderAttention(const Sizes &sizes) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/false);
  attention.linears = separateProjections(
      "self_attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, true, true);
  return branch(attention);
}

static BranchSpec encoderMlp(const Sizes &sizes, Activation activation) {
  MlpSpec mlp = plainMlp(sizes, activation);
  mlp.linears = {linear("fc1", Role::Up, /*bias=*/true),
                 linear("fc2", Role::Down, /*bias=*/true)};
  return branch(mlp);
}

static ModelSpec makePreNormEncoder(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "encoder.embed_tokens.weight");
  addPositions(*spec.stack.embedding, sizes, "encoder.embed_positions.weight",
               /*offset=*/2);
  spec.stack.layers = repeatLayers(
      sizes, "encoder.layers.", [&](int64_t) -> std::vector<StepSpec> {
        return {preNormStep(layerNorm("self_attn_layer_norm"),
                            encoderAttention(sizes)),
                preNormStep(layerNorm("final_layer_norm"),
                            encoderMlp(sizes, Activation::GeluErf))};
      });
  spec.stack.finalNorm = layerNorm("encoder.layer_norm");
  return spec;
}

static ModelSpec makePostNormEncoder(const Sizes &sizes, double inputScale) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "encoder.embed_tokens.weight");
  spec.stack.embedding->scale = std::sqrt(double(sizes.width));
  spec.stack.embedding->sinusoid = block::Sinusoid::Concatenated;
  spec.stack.layers = repeatLayers(
      sizes, "encoder.layers.", [&](int64_t) -> std::vector<StepSpec> {
        std::vector<StepSpec> steps = {
            postNormStep(layerNorm("self_attn_layer_norm"),
                         encoderAttention(sizes)),
            postNormStep(layerNorm("final_layer_norm"),
                         encoderMlp(sizes, Activation::Relu))};
        for (StepSpec &step : steps)
          step.inputScale = inputScale;
        return steps;
      });
  return spec;
}

static ModelSpec makeOriginalEncoder(const Sizes &sizes) {
  return makePostNormEncoder(sizes, /*inputScale=*/1);
}

/// DeepNet scales the skip by (2 N)^(1/4).
static ModelSpec makeDeepNorm(const Sizes &sizes) {
  return makePostNormEncoder(sizes, std::pow(2.0 * sizes.layers, 0.25));
}

llvm::ArrayRef<Family> getEncoderFamilies() {
  static constexpr Family families[] = {
      {"bert", {12, 768, 12, 12, 64, 3072, 30522, 512}, makeBert},
      {"roberta", {12, 768, 12, 12, 64, 3072, 50265, 512}, makeRoberta},
      {"encoder-pre-ln",
       {12, 768, 12, 12, 64, 3072, 50265, 512},
       makePreNormEncoder},
      {"encoder-post-ln", {6, 512, 8, 8, 64, 2048, 37000}, makeOriginalEncoder},
      {"deepnorm", {18, 512, 8, 8, 64, 2048, 37000}, makeDeepNorm}};
  return families;
}

} // namespace parablock::generate
