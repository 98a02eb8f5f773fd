//===- ConfigDeepseek.cpp - reads deepseek and glm4_moe configs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements models whose first layers are dense and whose experts,
// one in groups or all, stand beside shared ones; deepseek's attention has a
// latent.
//
//===----------------------------------------------------------------------===//

#include "ConfigLlama.h"

#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::Twine;

namespace {
/// Sizes and choices for which releases of one family have other defaults.
struct FamilyDefaults {
  int64_t experts, hidden, shared, groups, kept, chosen, firstDense;
  double weightScale;
};
} // namespace

/// Refuses settings that older code of a family reads and its present code does
/// not.
static void refuseOlder(const ConfigFields &fields, llvm::StringRef scores) {
  if (fields.getInt("moe_layer_freq", 1) != 1)
    fields.refuse("moe_layer_freq", "1");
  if (fields.getString("scoring_func", scores) != scores)
    fields.refuse("scoring_func", scores);
}

/// Reads experts of a family with groups, under "mlp".
static ExpertsSpec readGrouped(ConfigReader &reader, const LlamaParts &parts,
                               const FamilyDefaults &defaults) {
  const ConfigFields &fields = reader.fields;
  ExpertsSpec experts =
      readExperts(reader,
                  {"n_routed_experts", "moe_intermediate_size",
                   defaults.experts, defaults.hidden, defaults.chosen},
                  parts.mlp.activation);
  experts.divideBy = block::WeightSum::One;
  experts.routerIsF32 = true;
  double scale = fields.getReal("routed_scaling_factor", defaults.weightScale);
  if (scale != 1)
    experts.weightScale = scale;
  experts.shared = "mlp.shared_experts";
  experts.sharedHidden =
      experts.hidden *
      fields.getInt("n_shared_experts", defaults.shared, 1, limits::headDim);
  experts.groups = fields.getInt("n_group", defaults.groups);
  experts.kept = fields.getInt("topk_group", defaults.kept);
  return experts;
}

/// Checks that groups are alike, and that as many experts as are chosen are in
/// those that are kept.
static void checkGroups(const ConfigFields &fields, const ExpertsSpec &experts,
                        int64_t least) {
  int64_t size = experts.count / experts.groups;
  if (experts.count % experts.groups || size < least)
    fields.refuse("n_group", "a divisor of the " + Twine(experts.count) +
                                 " experts that leaves " + Twine(least) +
                                 " in a group");
  if (experts.kept > experts.groups || experts.kept * size < experts.chosen)
    fields.refuse("topk_group", "at most the " + Twine(experts.groups) +
                                    " groups, with the " +
                                    Twine(experts.chosen) + " chosen experts");
}

/// Experts that corrected sigmoids choose, from groups of which the two best
/// count.
static ExpertsSpec readCorrected(ConfigReader &reader, const LlamaParts &parts,
                                 const FamilyDefaults &defaults) {
  const ConfigFields &fields = reader.fields;
  refuseOlder(fields, "sigmoid");
  ExpertsSpec experts = readGrouped(reader, parts, defaults);
  experts.score = block::RouterScore::Sigmoid;
  experts.correction = "mlp.gate.e_score_correction_bias";
  if (fields.getBool("norm_topk_prob", true)) {
    experts.divideBy = block::WeightSum::Added;
    experts.eps = 1e-20;
  }
  if (experts.groups > 1)
    experts.groupScore = block::GroupScore::BestTwo;
  checkGroups(fields, experts, experts.groups > 1 ? 2 : 1);
  return experts;
}

/// Gives the first layers the plain MLP.
static void finish(ConfigReader &reader, const LlamaParts &parts, double eps,
                   const ExpertsSpec &experts, int64_t firstDense) {
  int64_t dense = reader.fields.getInt("first_k_dense_replace", firstDense, 0);
  finishLlama(reader, parts, eps, {}, [&](int64_t i) {
    return i < dense ? branch(parts.mlp) : mixture(experts);
  });
}

/// Reads attention with a latent; `style` is that of the rotation.
static LlamaParts readLatent(ConfigReader &reader, LlamaDefaults defaults,
                             block::RopeStyle style) {
  const ConfigFields &fields = reader.fields;
  RopeSource rope;
  rope.headDim = fields.getInt("qk_rope_head_dim", 64, 2, limits::headDim);
  rope.style = style;
  defaults.hasLatent = true;
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  AttentionSpec &attention = parts.attention;
  if (attention.kvHeads != attention.heads)
    fields.refuse("num_key_value_heads",
                  "the " + Twine(attention.heads) + " attention heads");
  attention.headDim =
      rope.headDim + fields.getInt("qk_nope_head_dim", 128, 1, limits::headDim);
  attention.valueHeadDim = fields.getInt("v_head_dim", 128, 1, limits::headDim);
  attention.scores.scale = readLatentScale(reader, attention.headDim);

  // Norms of latents do not read the epsilon of others.
  bool bias = fields.getBool("attention_bias", false);
  LatentSpec &latent = attention.latent.emplace();
  latent.rank = fields.getInt("kv_lora_rank", 512, 1, limits::width);
  latent.norm = llamaNorm("self_attn.kv_a_layernorm", 1e-6);
  latent.down.name = "self_attn.kv_a_proj_with_mqa";
  latent.down.bias = bias;
  std::string query = "self_attn.q_proj";
  if (fields.isMissing("q_lora_rank") || fields.has("q_lora_rank")) {
    latent.queryRank = fields.getInt("q_lora_rank", 1536, 1, limits::width);
    latent.queryNorm = llamaNorm("self_attn.q_a_layernorm", 1e-6);
    latent.queryDown.name = "self_attn.q_a_proj";
    latent.queryDown.bias = bias;
    query = "self_attn.q_b_proj";
  }
  attention.linears = {
      linear(query, Role::Q),
      fused("self_attn.kv_b_proj", {Role::K, Role::V}, false, attention.heads),
      linear("self_attn.o_proj", Role::O, bias)};
  return parts;
}

void generate::readDeepseekV2(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  refuseOlder(fields, "softmax");
  LlamaDefaults defaults;
  defaults.vocab = 102400;
  LlamaParts parts =
      readLatent(reader, defaults, block::RopeStyle::Interleaved);
  for (llvm::StringRef key : {"mlp_bias", "norm_topk_prob"})
    if (fields.getBool(key, false))
      fields.refuse(key, "false");
  if (!fields.has("num_experts_per_tok"))
    fields.refuse("num_experts_per_tok", "the number of chosen experts");

  FamilyDefaults own{64, 1407, 2, 1, 1, 1, 0, 1};
  std::string method = fields.getString("topk_method", "greedy");
  ExpertsSpec experts;
  if (method == "group_limited_greedy") {
    for (llvm::StringRef key : {"n_group", "topk_group"})
      if (!fields.has(key))
        fields.refuse(key,
                      "a number of groups with topk_method '" + method + "'");
    experts = readGrouped(reader, parts, own);
    checkGroups(fields, experts, 1);
  } else {
    if (method != "greedy")
      fields.refuse("topk_method", "greedy or group_limited_greedy");
    experts = readGrouped(reader, parts, own);
    experts.groups = experts.kept = 1;
  }
  finish(reader, parts, fields.getEps("rms_norm_eps", 1e-6), experts,
         own.firstDense);
}

void generate::readDeepseekV3(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 129280;
  defaults.width = 7168;
  defaults.hidden = 18432;
  defaults.layers = 61;
  defaults.heads = 128;
  defaults.positions = 4096;
  LlamaParts parts = readLatent(reader, defaults,
                                fields.getBool("rope_interleave", true)
                                    ? block::RopeStyle::Interleaved
                                    : block::RopeStyle::Half);
  if (fields.getString("topk_method", "noaux_tc") != "noaux_tc")
    fields.refuse("topk_method", "noaux_tc");
  FamilyDefaults own{256, 2048, 1, 8, 4, 8, 3, 2.5};
  finish(reader, parts, fields.getEps("rms_norm_eps", 1e-6),
         readCorrected(reader, parts, own), own.firstDense);
}

void generate::readGlm4Moe(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 151552;
  defaults.hidden = 10944;
  defaults.layers = 46;
  defaults.heads = 96;
  defaults.kvHeads = 8;
  defaults.positions = 131072;
  RopeSource rope;
  rope.takesPartial = true;
  rope.partial = 0.5;
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  double eps = fields.getEps("rms_norm_eps", 1e-5);
  parts.setAttentionBias(fields.getBool("attention_bias", false), false);
  if (fields.getBool("use_qk_norm", false))
    parts.attention.qkNorm = QkNormSpec{llamaNorm("self_attn.q_norm", eps),
                                        llamaNorm("self_attn.k_norm", eps)};
  FamilyDefaults own{128, 1408, 1, 1, 1, 8, 1, 1};
  finish(reader, parts, eps, readCorrected(reader, parts, own), own.firstDense);
}
