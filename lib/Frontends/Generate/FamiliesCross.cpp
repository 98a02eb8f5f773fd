//===- FamiliesCross.cpp - describes cross-attention decoders and T5 ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LlamaParts.h"

#include <cmath>

using parablock::block::Activation;

namespace parablock::generate {

/// A cross-attention with the sizes of the self-attention.
static AttentionSpec crossAttention(const Sizes &sizes) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/false);
  attention.cross = true;
  return attention;
}

//===----------------------------------------------------------------------===//
// Post-LN decoders of three sublayers
//===----------------------------------------------------------------------===//

static std::vector<StepSpec> makeDecoderSteps(const Sizes &sizes,
                                              Activation activation) {
  AttentionSpec self = selfAttention(sizes, /*causal=*/true);
  self.linears = separateProjections(
      "self_attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, true, true);
  AttentionSpec cross = crossAttention(sizes);
  cross.linears = separateProjections(
      "encoder_attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, true, true);
  MlpSpec mlp = plainMlp(sizes, activation);
  mlp.linears = {linear("fc1", Role::Up, /*bias=*/true),
                 linear("fc2", Role::Down, /*bias=*/true)};
  return {postNormStep(layerNorm("self_attn_layer_norm"), branch(self)),
          postNormStep(layerNorm("encoder_attn_layer_norm"), branch(cross)),
          postNormStep(layerNorm("final_layer_norm"), branch(mlp))};
}

static ModelSpec makeOriginalDecoder(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "decoder.embed_tokens.weight");
  spec.stack.embedding->scale = std::sqrt(double(sizes.width));
  spec.stack.embedding->sinusoid = block::Sinusoid::Interleaved;
  spec.stack.layers = repeatLayers(sizes, "decoder.layers.", [&](int64_t) {
    return makeDecoderSteps(sizes, Activation::Relu);
  });
  spec.head = head(sizes, "decoder.embed_tokens.weight");
  return spec;
}

static ModelSpec makeBartDecoder(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "model.shared.weight");
  addPositions(*spec.stack.embedding, sizes,
               "model.decoder.embed_positions.weight", /*offset=*/2);
  spec.stack.embedding->norm = layerNorm("model.decoder.layernorm_embedding");
  spec.stack.layers =
      repeatLayers(sizes, "model.decoder.layers.", [&](int64_t) {
        return makeDecoderSteps(sizes, Activation::GeluErf);
      });
  spec.head = head(sizes, "model.shared.weight");
  spec.head->bias = StoredVector("final_logits_bias", {1, sizes.vocab});
  return spec;
}

//===----------------------------------------------------------------------===//
// T5
//===----------------------------------------------------------------------===//

/// Returns self-attention without a scale of scores, with the table of block 0.
static AttentionSpec t5SelfAttention(const Sizes &sizes,
                                     const std::string &stack, bool causal) {
  AttentionSpec attention = selfAttention(sizes, causal);
  attention.scores.scale = 1;
  attention.linears = separateProjections("layer.0.SelfAttention.",
                                          {"q", "k", "v", "o"}, false, false);
  attention.buckets.emplace();
  attention.buckets->table =
      "/" + stack +
      ".block.0.layer.0.SelfAttention.relative_attention_bias.weight";
  attention.buckets->bidirectional = !causal;
  return attention;
}

static AttentionSpec t5CrossAttention(const Sizes &sizes) {
  AttentionSpec attention = crossAttention(sizes);
  attention.scores.scale = 1;
  attention.linears = separateProjections("layer.1.EncDecAttention.",
                                          {"q", "k", "v", "o"}, false, false);
  return attention;
}

static MlpSpec t5Mlp(const Sizes &sizes, const std::string &sublayer) {
  MlpSpec mlp = plainMlp(sizes, Activation::Relu);
  mlp.linears = {linear(sublayer + ".DenseReluDense.wi", Role::Up),
                 linear(sublayer + ".DenseReluDense.wo", Role::Down)};
  return mlp;
}

static ModelSpec makeT5Encoder(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "shared.weight");
  spec.stack.layers = repeatLayers(
      sizes, "encoder.block.", [&](int64_t) -> std::vector<StepSpec> {
        return {preNormStep(llamaNorm("layer.0.layer_norm", 1e-6),
                            branch(t5SelfAttention(sizes, "encoder", false))),
                preNormStep(llamaNorm("layer.1.layer_norm", 1e-6),
                            branch(t5Mlp(sizes, "layer.1")))};
      });
  spec.stack.finalNorm = llamaNorm("encoder.final_layer_norm", 1e-6);
  return spec;
}

static ModelSpec makeT5Decoder(const Sizes &sizes) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "shared.weight");
  spec.stack.layers = repeatLayers(
      sizes, "decoder.block.", [&](int64_t) -> std::vector<StepSpec> {
        return {preNormStep(llamaNorm("layer.0.layer_norm", 1e-6),
                            branch(t5SelfAttention(sizes, "decoder", true))),
                preNormStep(llamaNorm("layer.1.layer_norm", 1e-6),
                            branch(t5CrossAttention(sizes))),
                preNormStep(llamaNorm("layer.2.layer_norm", 1e-6),
                            branch(t5Mlp(sizes, "layer.2")))};
      });
  spec.stack.finalNorm = llamaNorm("decoder.final_layer_norm", 1e-6);
  spec.head = head(sizes, "shared.weight");
  spec.head->scale = 1 / std::sqrt(double(sizes.width));
  return spec;
}

llvm::ArrayRef<Family> getCrossFamilies() {
  static constexpr Family families[] = {
      {"transformer-decoder",
       {6, 512, 8, 8, 64, 2048, 37000},
       makeOriginalDecoder},
      {"bart-decoder",
       {6, 768, 12, 12, 64, 3072, 50265, 1024},
       makeBartDecoder},
      {"t5-encoder", {12, 768, 12, 12, 64, 3072, 32128}, makeT5Encoder},
      {"t5-decoder", {12, 768, 12, 12, 64, 3072, 32128}, makeT5Decoder}};
  return families;
}

} // namespace parablock::generate
