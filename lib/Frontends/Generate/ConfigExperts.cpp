//===- ConfigExperts.cpp - reads configs of experts beside attention ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigLlama.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::generate;

ExpertsSpec generate::readExperts(ConfigReader &reader, const ExpertKeys &keys,
                                  block::Activation activation) {
  const ConfigFields &fields = reader.fields;
  ExpertsSpec experts;
  experts.count =
      fields.getInt(keys.count, keys.defaultCount, 1, limits::width);
  experts.hidden =
      fields.getInt(keys.hidden, keys.defaultHidden, 1, limits::hidden);
  experts.chosen = fields.getInt("num_experts_per_tok", keys.defaultChosen, 1);
  if (experts.chosen > experts.count)
    fields.refuse("num_experts_per_tok", "at most the " +
                                             llvm::Twine(experts.count) +
                                             " of '" + keys.count + "'");
  experts.activation = activation;
  experts.router = "mlp.gate";
  experts.up = "mlp.experts.gate_up_proj";
  experts.down = "mlp.experts.down_proj";
  experts.divideBy = block::WeightSum::Added;
  return experts;
}

BranchSpec generate::mixture(const ExpertsSpec &experts) {
  BranchSpec spec;
  spec.experts = experts;
  return spec;
}

void generate::readMixtral(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.hidden = 14336;
  defaults.kvHeads = 8;
  defaults.positions = 131072;
  defaults.theta = 1e6;
  LlamaParts parts = readLlamaParts(reader, defaults);
  parts.attention.scores.window = fields.findInt("sliding_window");
  ExpertsSpec experts = readExperts(
      reader, {"num_local_experts", "intermediate_size", 8, defaults.hidden, 2},
      parts.mlp.activation);
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-5), {},
              [&](int64_t) { return mixture(experts); });
}

void generate::readQwen3Moe(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 151936;
  defaults.width = 2048;
  defaults.hidden = 6144;
  defaults.layers = 24;
  defaults.kvHeads = 4;
  defaults.positions = 32768;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  readQwen3Attention(reader, parts, eps);
  parts.attention.scores.window = readQwenWindow(fields);

  ExpertsSpec experts =
      readExperts(reader,
                  {fields.either("num_local_experts", "num_experts"),
                   "moe_intermediate_size", 128, 768, 8},
                  parts.mlp.activation);
  if (!fields.getBool("norm_topk_prob", false))
    experts.divideBy = block::WeightSum::One;
  experts.roundWeights = true;
  int64_t step = fields.getInt("decoder_sparse_step", 1);
  std::vector<double> dense =
      fields.findReals("mlp_only_layers").value_or(std::vector<double>());
  finishLlama(reader, parts, eps, {}, [&](int64_t i) {
    bool hasExperts = (i + 1) % step == 0 &&
                      !llvm::is_contained(dense, static_cast<double>(i));
    return hasExperts ? mixture(experts) : branch(parts.mlp);
  });
}

void generate::readOlmoe(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 50304;
  defaults.width = defaults.hidden = 2048;
  defaults.layers = defaults.heads = 16;
  defaults.positions = 4096;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-5);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.attention.qkNorm = QkNormSpec{llamaNorm("self_attn.q_norm", eps),
                                      llamaNorm("self_attn.k_norm", eps),
                                      block::QkNormExtent::Whole};
  // The model bounds queries and keys behind their norms.
  if (fields.has("clip_qkv"))
    fields.refuse("clip_qkv", "null");
  ExpertsSpec experts =
      readExperts(reader,
                  {fields.either("num_local_experts", "num_experts"),
                   "intermediate_size", 64, defaults.hidden, 8},
                  parts.mlp.activation);
  if (!fields.getBool("norm_topk_prob", false))
    experts.divideBy = block::WeightSum::One;
  experts.roundWeights = true;
  finishLlama(reader, parts, eps, {},
              [&](int64_t) { return mixture(experts); });
}

/// Chooses by logits and weighs by a softmax over the chosen ones.
static void weighByLogits(ExpertsSpec &experts) {
  experts.score = block::RouterScore::Logit;
  experts.weight = block::RouterWeight::Softmax;
  experts.divideBy = block::WeightSum::One;
  experts.roundWeights = true;
}

void generate::readGraniteMoe(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  LlamaParts parts = readLlamaParts(reader, defaults);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.attention.scores.scale = fields.getReal("attention_multiplier", 1);
  ExpertsSpec experts = readExperts(
      reader, {"num_local_experts", "intermediate_size", 8, defaults.hidden, 2},
      parts.mlp.activation);
  weighByLogits(experts);
  experts.router = "block_sparse_moe.router";
  experts.up = "block_sparse_moe.experts.gate_up_proj";
  experts.down = "block_sparse_moe.experts.down_proj";
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-6), {},
              [&](int64_t) { return mixture(experts); });
  scaleGranite(reader);
}

void generate::readGptOss(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 201088;
  defaults.width = defaults.hidden = 2880;
  defaults.layers = 36;
  defaults.heads = defaults.headDim = 64;
  defaults.kvHeads = 8;
  defaults.positions = 131072;
  defaults.theta = 150000;
  LlamaParts parts = readLlamaParts(reader, defaults);
  // Releases differ in what stands for settings that are missing.
  if (!fields.has("rope_parameters") && !fields.has("rope_scaling"))
    fields.refuse("rope_parameters", "the settings of a rotation");
  bool bias = fields.getBool("attention_bias", true);
  parts.setAttentionBias(bias, bias);
  parts.attention.sinks = "self_attn.sinks";
  std::optional<int64_t> window = fields.findInt("sliding_window");
  if (fields.isMissing("sliding_window"))
    window = 128;

  ExpertsSpec experts =
      readExperts(reader,
                  {fields.either("num_experts", "num_local_experts"),
                   "intermediate_size", 128, defaults.hidden, 4},
                  block::Activation::QuickGelu);
  weighByLogits(experts);
  experts.router = "mlp.router";
  experts.routerBias = experts.biases = experts.transposed = true;
  experts.layout = block::ExpertLayout::Interleaved;
  if (fields.getReal("swiglu_alpha", 1.702) != 1.702)
    fields.refuse("swiglu_alpha", "1.702");
  experts.limit = fields.getPositive("swiglu_limit", 7);
  experts.upOffset = 1;
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-5),
              readLayerWindows(reader, parts.layers, window,
                               [](int64_t i) { return i % 2 == 0; }),
              [&](int64_t) { return mixture(experts); });
}

void generate::readMinimaxM2(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 200064;
  defaults.width = 3072;
  defaults.hidden = 1536;
  defaults.layers = 62;
  defaults.heads = 48;
  defaults.kvHeads = 8;
  defaults.headDim = 128;
  defaults.positions = 196608;
  defaults.theta = 5e6;
  RopeSource rope;
  rope.takesPartial = true;
  // Releases have the columns of the rotated part.
  if (fields.has("rotary_dim"))
    rope.partial =
        static_cast<double>(fields.getInt("rotary_dim", 64, 2)) /
        static_cast<double>(fields.getInt("head_dim", defaults.headDim, 1));
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  parts.attention.qkNorm = QkNormSpec{llamaNorm("self_attn.q_norm", eps),
                                      llamaNorm("self_attn.k_norm", eps),
                                      block::QkNormExtent::Whole};
  for (llvm::StringRef key : {"use_qk_norm", "use_routing_bias"})
    if (!fields.getBool(key, true))
      fields.refuse(key, "true");
  if (fields.getString("qk_norm_type", "per_layer") != "per_layer")
    fields.refuse("qk_norm_type", "per_layer");
  if (fields.getString("scoring_func", "sigmoid") != "sigmoid")
    fields.refuse("scoring_func", "sigmoid");
  if (fields.getInt("shared_intermediate_size", 0, 0) != 0)
    fields.refuse("shared_intermediate_size", "0");
  ExpertsSpec experts =
      readExperts(reader,
                  {fields.either("num_experts", "num_local_experts"),
                   "intermediate_size", 256, defaults.hidden, 8},
                  parts.mlp.activation);
  experts.score = block::RouterScore::Sigmoid;
  experts.correction = "mlp.e_score_correction_bias";
  finishLlama(reader, parts, eps, {},
              [&](int64_t) { return mixture(experts); });
}
