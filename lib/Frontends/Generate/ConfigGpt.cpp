//===- ConfigGpt.cpp - reads gpt2, gptj, codegen, neox, phi configs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::Twine;

/// The sizes of gpt2, gptj and codegen, which share names for them.
static Trunk readGptTrunk(ConfigReader &reader, int64_t vocab, int64_t width,
                          int64_t layers, int64_t heads, int64_t positions) {
  const ConfigFields &fields = reader.fields;
  readPositions(
      reader,
      {fields.either("max_position_embeddings", "n_positions"), positions});
  return readTrunk(reader, vocab,
                   {fields.either("hidden_size", "n_embd"), width},
                   {fields.either("num_hidden_layers", "n_layer"), layers},
                   {fields.either("num_attention_heads", "n_head"), heads});
}

static int64_t readGptHidden(ConfigReader &reader, const Trunk &trunk) {
  return reader.fields.findInt("n_inner", 1, limits::hidden)
      .value_or(4 * trunk.width);
}

void generate::readGpt2(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  Trunk trunk = readGptTrunk(reader, 50257, 768, 12, 12, 1024);
  double eps = fields.getEps("layer_norm_epsilon", 1e-5);
  bool scaled = fields.getBool("scale_attn_weights", true);
  bool scaledByLayer = fields.getBool("scale_attn_by_inverse_layer_idx", false);
  auto transposed = [](StoredLinear stored) {
    stored.inputMajor = true;
    return stored;
  };

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  if (!scaled)
    attention.scores.scale = 1;
  attention.linears = {
      transposed(fused("attn.c_attn", {Role::Q, Role::K, Role::V}, true)),
      transposed(linear("attn.c_proj", Role::O, true))};
  MlpSpec mlp =
      plainMlp(readGptHidden(reader, trunk),
               fields.getActivation("activation_function", "gelu_new"),
               "mlp.c_fc", "mlp.c_proj", true);
  for (StoredLinear &stored : mlp.linears)
    stored.inputMajor = true;

  setEmbeddingAndHead(reader, trunk.vocab, "wte.weight", "lm_head.weight",
                      true);
  EmbeddingSpec &embedding = *reader.spec.stack.embedding;
  embedding.positionTable = reader.name("wpe.weight");
  embedding.positionCount = reader.spec.positions;
  addLayers(reader, trunk.layers, "h", [&](int64_t i) {
    AttentionSpec own = attention;
    if (scaledByLayer)
      own.scores.scale /= double(i + 1);
    return std::vector<StepSpec>{
        preNormStep(layerNorm("ln_1", eps), branch(std::move(own))),
        preNormStep(layerNorm("ln_2", eps), branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("ln_f"), eps);
}

/// gptj and codegen: one norm, two branches, interleaved rotation.
static void readGptJLike(ConfigReader &reader,
                         std::vector<StoredLinear> linears,
                         bool needsFourShards) {
  const ConfigFields &fields = reader.fields;
  Trunk trunk = readGptTrunk(reader, 50400, 4096, 28, 16, 2048);
  double eps = fields.getEps("layer_norm_epsilon", 1e-5);
  if (needsFourShards && trunk.heads % 4)
    fields.refuse(fields.either("num_attention_heads", "n_head"),
                  "a multiple of 4");

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  attention.linears = std::move(linears);
  RopeSpec &rope = attention.rope.emplace();
  rope.style = block::RopeStyle::Interleaved;
  rope.dim = fields.getInt("rotary_dim", 64);
  if (rope.dim % 2 || rope.dim > trunk.headDim)
    fields.fail("rotary_dim", "expected an even number of at most " +
                                  Twine(trunk.headDim) + ", got " +
                                  Twine(rope.dim));
  MlpSpec mlp =
      plainMlp(readGptHidden(reader, trunk),
               fields.getActivation("activation_function", "gelu_new"),
               "mlp.fc_in", "mlp.fc_out", true);

  setEmbeddingAndHead(reader, trunk.vocab, "wte.weight", "lm_head.weight",
                      false);
  if (reader.spec.head)
    reader.spec.head->bias = "lm_head.bias";
  addLayers(reader, trunk.layers, "h", [&](int64_t) {
    return std::vector<StepSpec>{
        parallelStep(layerNorm("ln_1", eps), branch(attention), branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("ln_f"), eps);
}

void generate::readGptJ(ConfigReader &reader) {
  readGptJLike(reader,
               separateProjections("attn.",
                                   {"q_proj", "k_proj", "v_proj", "out_proj"},
                                   false, false),
               false);
}

void generate::readCodeGen(ConfigReader &reader) {
  // Four shards of q|v|k, as the model was trained on four devices.
  readGptJLike(reader,
               {fused("attn.qkv_proj", {Role::Q, Role::V, Role::K}, false, 4),
                linear("attn.out_proj", Role::O)},
               true);
}

void generate::readGptNeoX(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", 2048});
  Trunk trunk =
      readTrunk(reader, 50432, {"hidden_size", 6144}, {"num_hidden_layers", 44},
                {"num_attention_heads", 64});
  double eps = fields.getEps("layer_norm_eps", 1e-5);
  bool parallel = fields.getBool("use_parallel_residual", true);
  bool bias = fields.getBool("attention_bias", true);

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  RopeSource source{trunk.headDim, reader.spec.positions};
  source.partial = 0.25;
  source.thetaKey = "rotary_emb_base";
  source.partialKey = "rotary_pct";
  source.takesPartial = source.takesOdd = true;
  attention.rope = readRope(reader, source);
  attention.linears = {fused("attention.query_key_value",
                             {Role::Q, Role::K, Role::V}, bias, trunk.heads),
                       linear("attention.dense", Role::O, bias)};
  MlpSpec mlp =
      plainMlp(fields.getInt("intermediate_size", 24576, 1, limits::hidden),
               fields.getActivation("hidden_act", "gelu"), "mlp.dense_h_to_4h",
               "mlp.dense_4h_to_h", true);

  setEmbeddingAndHead(reader, trunk.vocab, "embed_in.weight",
                      "embed_out.weight", false);
  NormSpec first = layerNorm("input_layernorm", eps);
  NormSpec second = layerNorm("post_attention_layernorm", eps);
  addLayers(reader, trunk.layers, "layers", [&](int64_t) {
    if (parallel)
      return std::vector<StepSpec>{
          parallelStep(first, branch(attention), second, branch(mlp))};
    return std::vector<StepSpec>{preNormStep(first, branch(attention)),
                                 preNormStep(second, branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("final_layer_norm"), eps);
}

void generate::readPhi(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", 2048});
  bool qkNorm = fields.getBool("qk_layernorm", false);
  // The norm of queries and keys has size width / heads, for any head size.
  Trunk trunk =
      readTrunk(reader, 51200, {"hidden_size", 2048}, {"num_hidden_layers", 24},
                {"num_attention_heads", 32}, !qkNorm);
  trunk.headDim = readHeadDim(reader, trunk, 0);
  if (qkNorm && trunk.headDim != trunk.width / trunk.heads)
    fields.refuse("head_dim", "hidden_size / num_attention_heads with "
                              "qk_layernorm");
  double eps = fields.getEps("layer_norm_eps", 1e-5);

  AttentionSpec attention = causalAttention(
      trunk.heads, readKvHeads(reader, trunk.heads, 0), trunk.headDim);
  RopeSource source{trunk.headDim, reader.spec.positions};
  source.partial = 0.5;
  source.takesPartial = true;
  attention.rope = readRope(reader, source);
  attention.linears = separateProjections(
      "self_attn.", {"q_proj", "k_proj", "v_proj", "dense"}, true, true);
  if (qkNorm)
    attention.qkNorm = QkNormSpec{layerNorm("self_attn.q_layernorm", eps),
                                  layerNorm("self_attn.k_layernorm", eps)};
  MlpSpec mlp =
      plainMlp(fields.getInt("intermediate_size", 8192, 1, limits::hidden),
               fields.getActivation("hidden_act", "gelu_new"), "mlp.fc1",
               "mlp.fc2", true);

  setEmbeddingAndHead(reader, trunk.vocab, "embed_tokens.weight",
                      "lm_head.weight", false);
  if (reader.spec.head)
    reader.spec.head->bias = "lm_head.bias";
  addLayers(reader, trunk.layers, "layers", [&](int64_t) {
    return std::vector<StepSpec>{parallelStep(layerNorm("input_layernorm", eps),
                                              branch(attention), branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("final_layernorm"), eps);
}
