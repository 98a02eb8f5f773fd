//===- ConfigOpt.cpp - reads opt configs ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

using namespace parablock;
using namespace parablock::generate;

/// OPT's position tables begin with two unused rows.
static constexpr int64_t positionOffset = 2;

void generate::readOpt(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", 2048});
  Trunk trunk =
      readTrunk(reader, 50272, {"hidden_size", 768}, {"num_hidden_layers", 12},
                {"num_attention_heads", 12});
  bool preNorm = fields.getBool("do_layer_norm_before", true);
  bool finalNorm =
      preNorm && !fields.getBool("_remove_final_layer_norm", false);
  bool affine = fields.getBool("layer_norm_elementwise_affine", true);
  bool bias = fields.getBool("enable_bias", true);
  int64_t tableWidth = fields.findInt("word_embed_proj_dim", 1, limits::width)
                           .value_or(trunk.width);
  auto norm = [&](const std::string &name) {
    return affine ? layerNorm(name) : NormSpec();
  };

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  attention.linears = separateProjections(
      "self_attn.", {"q_proj", "k_proj", "v_proj", "out_proj"}, bias, bias);
  MlpSpec mlp = plainMlp(fields.getInt("ffn_dim", 3072, 1, limits::hidden),
                         fields.getActivation("activation_function", "relu"),
                         "fc1", "fc2", bias);

  setEmbeddingAndHead(reader, trunk.vocab, "decoder.embed_tokens.weight",
                      "lm_head.weight", true);
  StackSpec &stack = reader.spec.stack;
  stack.embedding->positionTable =
      reader.name("decoder.embed_positions.weight");
  stack.embedding->positionCount = reader.spec.positions + positionOffset;
  stack.embedding->positionOffset = positionOffset;
  if (tableWidth != trunk.width) {
    stack.embedding->tableWidth = tableWidth;
    stack.embedding->projection = reader.name("decoder.project_in");
    stack.projection = reader.name("decoder.project_out");
    stack.projectedWidth = tableWidth;
  }
  auto step = preNorm ? preNormStep : postNormStep;
  addLayers(reader, trunk.layers, "decoder.layers", [&](int64_t) {
    return std::vector<StepSpec>{
        step(norm("self_attn_layer_norm"), branch(attention)),
        step(norm("final_layer_norm"), branch(mlp))};
  });
  if (finalNorm)
    stack.finalNorm = norm(reader.name("decoder.final_layer_norm"));
}
