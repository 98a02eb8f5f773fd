//===- ConfigFalcon.cpp - reads falcon, bloom and mpt configs -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

using namespace parablock;
using namespace parablock::generate;
using llvm::Twine;

/// ALiBi's largest exponent in all of these.
static constexpr double alibiMax = 8;

namespace {
struct FalconForm {
  bool grouped, multiQuery, parallel, twoNorms;
  int64_t kvHeads;
};
} // namespace

static FalconForm readFalconForm(const ConfigFields &fields, int64_t heads) {
  FalconForm form;
  form.grouped = fields.getBool("new_decoder_architecture", false);
  form.multiQuery = fields.getBool("multi_query", true);
  form.parallel = fields.getBool("parallel_attn", true);
  std::optional<int64_t> norms =
      fields.findInt("num_ln_in_parallel_attn", 1, 2);
  form.twoNorms = form.grouped && norms.value_or(2) == 2;
  if (form.grouped && !form.parallel)
    fields.refuse("parallel_attn", "true with new_decoder_architecture");
  if (!form.grouped && form.parallel && norms.value_or(1) != 1)
    fields.refuse("num_ln_in_parallel_attn",
                  "1 without new_decoder_architecture");
  int64_t groups =
      fields.findInt("num_kv_heads", 1, limits::heads).value_or(heads);
  form.kvHeads = form.grouped ? groups : form.multiQuery ? 1 : heads;
  if (heads % form.kvHeads)
    fields.refuse("num_kv_heads",
                  "a divisor of the " + Twine(heads) + " heads");
  return form;
}

void generate::readFalcon(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", 2048});
  Trunk trunk =
      readTrunk(reader, 65024, {fields.either("n_embed", "hidden_size"), 4544},
                {fields.either("num_hidden_layers", "n_layer"), 32},
                {fields.either("num_attention_heads", "n_head"), 71});
  FalconForm form = readFalconForm(fields, trunk.heads);
  double eps = fields.getEps("layer_norm_epsilon", 1e-5);
  bool bias = fields.getBool("bias", false);

  AttentionSpec attention =
      causalAttention(trunk.heads, form.kvHeads, trunk.headDim);
  if (fields.getBool("alibi", false)) {
    // Slopes and biases are bfloat16 for any model, and scaled like the product
    // of query and key.
    attention.scores.alibiMax = alibiMax;
    attention.scores.alibiType = TableType::BF16;
    attention.scores.order = block::ScoreOrder::BiasScaleCap;
  } else {
    attention.rope = readRope(reader, {trunk.headDim, reader.spec.positions});
  }
  // q..q|k|v in each of the groups, of which multi-query attention has one.
  attention.linears = {fused("self_attention.query_key_value",
                             {Role::Q, Role::K, Role::V}, bias, form.kvHeads),
                       linear("self_attention.dense", Role::O, bias)};
  MlpSpec mlp = plainMlp(fields.findInt("ffn_hidden_size", 1, limits::hidden)
                             .value_or(4 * trunk.width),
                         fields.getActivation("activation", "gelu"),
                         "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", bias);

  setEmbeddingAndHead(reader, trunk.vocab, "word_embeddings.weight",
                      "lm_head.weight", true);
  NormSpec input = layerNorm("input_layernorm", eps);
  addLayers(reader, trunk.layers, "h", [&](int64_t) -> std::vector<StepSpec> {
    if (form.twoNorms)
      return {parallelStep(layerNorm("ln_attn", eps), branch(attention),
                           layerNorm("ln_mlp", eps), branch(mlp))};
    if (form.parallel)
      return {parallelStep(input, branch(attention), branch(mlp))};
    return {
        preNormStep(input, branch(attention)),
        preNormStep(layerNorm("post_attention_layernorm", eps), branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("ln_f"), eps);
}

void generate::readBloom(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  Trunk trunk =
      readTrunk(reader, 250880, {fields.either("n_embed", "hidden_size"), 64},
                {fields.either("num_hidden_layers", "n_layer"), 2},
                {fields.either("num_attention_heads", "n_head"), 8});
  double eps = fields.getEps("layer_norm_epsilon", 1e-5);
  bool skipFromNorm =
      fields.getBool("apply_residual_connection_post_layernorm", false);
  // Summing the output projections slice by slice, as training did, omits their
  // biases.
  bool outputBias = fields.getInt("pretraining_tp", 1) == 1 ||
                    !fields.getBool("slow_but_exact", false);

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  attention.scores.alibiMax = alibiMax;
  attention.linears = {fused("self_attention.query_key_value",
                             {Role::Q, Role::K, Role::V}, true, trunk.heads),
                       linear("self_attention.dense", Role::O, outputBias)};
  MlpSpec mlp = plainMlp(4 * trunk.width, block::Activation::GeluTanh,
                         "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", true);
  mlp.linears.back().bias = outputBias;

  setEmbeddingAndHead(reader, trunk.vocab, "word_embeddings.weight",
                      "lm_head.weight", true);
  reader.spec.stack.embedding->norm =
      layerNorm(reader.name("word_embeddings_layernorm"), eps);
  addLayers(reader, trunk.layers, "h", [&](int64_t) {
    std::vector<StepSpec> steps = {
        preNormStep(layerNorm("input_layernorm", eps), branch(attention)),
        preNormStep(layerNorm("post_attention_layernorm", eps), branch(mlp))};
    for (StepSpec &step : steps)
      step.skipFromNorm = skipFromNorm;
    return steps;
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("ln_f"), eps);
}

void generate::readMpt(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_seq_len", 2048});
  Trunk trunk =
      readTrunk(reader, 50368, {fields.either("hidden_size", "d_model"), 2048},
                {fields.either("num_hidden_layers", "n_layers"), 24},
                {fields.either("num_attention_heads", "n_heads"), 16});
  double eps = fields.getEps("layer_norm_epsilon", 1e-5);
  ConfigFields scores = fields.getObject("attn_config");

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  attention.scores.alibiMax = alibiMax;
  if (std::optional<double> scale = scores.findReal("softmax_scale"))
    attention.scores.scale = *scale;
  std::optional<double> clip = scores.findReal("clip_qkv");
  if (clip && *clip < 0)
    scores.refuse("clip_qkv", "a number of at least 0");
  if (clip && *clip > 0)
    attention.clip = clip;
  attention.linears = {fused("attn.Wqkv", {Role::Q, Role::K, Role::V}),
                       linear("attn.out_proj", Role::O)};
  MlpSpec mlp = plainMlp(4 * trunk.width, block::Activation::GeluErf,
                         "ffn.up_proj", "ffn.down_proj", false);

  setEmbeddingAndHead(reader, trunk.vocab, "wte.weight", "lm_head.weight",
                      true);
  addLayers(reader, trunk.layers, "blocks", [&](int64_t) {
    return std::vector<StepSpec>{
        preNormStep(layerNorm("norm_1", eps, false), branch(attention)),
        preNormStep(layerNorm("norm_2", eps, false), branch(mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("norm_f"), eps, false);
}
