//===- ConfigGemma.cpp - reads gemma, olmo2, cohere, stablelm configs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigLlama.h"

#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;

/// Returns an RMSNorm with a stored gain of the effective gain minus one.
static NormSpec gemmaNorm(StringRef name, double eps) {
  NormSpec norm = rmsNorm(name.str(), eps);
  norm.gammaForm = block::GammaForm::OnePlus;
  return norm;
}

static LlamaDefaults gemmaDefaults() {
  LlamaDefaults defaults;
  defaults.vocab = 256000;
  defaults.headDim = 256;
  defaults.positions = 8192;
  defaults.tied = true;
  defaults.activation = "gelu_pytorch_tanh";
  return defaults;
}

void generate::readGemma(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults = gemmaDefaults();
  defaults.width = 3072;
  defaults.hidden = 24576;
  defaults.layers = 28;
  defaults.heads = defaults.kvHeads = 16;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  // Checkpoints with "gelu" were trained with the tanh form.
  if (fields.getString("hidden_act", "") == "gelu")
    parts.mlp.activation = block::Activation::GeluTanh;
  if (fields.findBool("use_bidirectional_attention").value_or(false))
    parts.attention.scores.causal = false;

  reader.spec.stack.embedding->scale = std::sqrt(double(reader.spec.width));
  addLayers(reader, parts.layers, "layers", [&](int64_t) {
    return std::vector<StepSpec>{
        preNormStep(gemmaNorm("input_layernorm", eps), branch(parts.attention)),
        preNormStep(gemmaNorm("post_attention_layernorm", eps),
                    branch(parts.mlp))};
  });
  reader.spec.stack.finalNorm = gemmaNorm(reader.name("norm"), eps);
}

/// A soft cap: missing is the default, null is none.
static std::optional<double> readCap(const ConfigFields &fields, StringRef key,
                                     double fallback) {
  if (!fields.isMissing(key) && !fields.has(key))
    return std::nullopt;
  return fields.getPositive(key, fallback);
}

/// Defaults of Gemma 2, from which those of Gemma 3 come.
static LlamaDefaults gemma2Defaults() {
  LlamaDefaults defaults = gemmaDefaults();
  defaults.width = 2304;
  defaults.hidden = 9216;
  defaults.layers = 26;
  defaults.heads = 8;
  defaults.kvHeads = 4;
  defaults.activationKey = "hidden_activation";
  return defaults;
}

/// Reads which layers have a window, 4096 tokens unless the config has another.
static auto readGemmaWindows(ConfigReader &reader, int64_t layers,
                             llvm::function_ref<bool(int64_t)> isLocal) {
  std::optional<int64_t> window = reader.fields.findInt("sliding_window");
  if (reader.fields.isMissing("sliding_window"))
    window = 4096;
  return readLayerWindows(reader, layers, window, isLocal);
}

/// The steps of a layer that has norms before and behind each branch.
static std::vector<StepSpec> gemmaSteps(BranchSpec attention, BranchSpec mlp,
                                        double eps) {
  attention.postNorm = gemmaNorm("post_attention_layernorm", eps);
  mlp.postNorm = gemmaNorm("post_feedforward_layernorm", eps);
  return {
      preNormStep(gemmaNorm("input_layernorm", eps), std::move(attention)),
      preNormStep(gemmaNorm("pre_feedforward_layernorm", eps), std::move(mlp))};
}

void generate::readGemma2(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults = gemma2Defaults();
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.attention.scores.scale =
      1 / std::sqrt(fields.getPositive("query_pre_attn_scalar", 256));
  parts.attention.scores.softcap =
      readCap(fields, "attn_logit_softcapping", 50);
  std::optional<double> headCap =
      readCap(fields, "final_logit_softcapping", 30);
  if (reader.spec.head)
    reader.spec.head->softcap = headCap;
  auto windows = readGemmaWindows(reader, parts.layers,
                                  [](int64_t i) { return i % 2 == 0; });

  reader.spec.stack.embedding->scale = std::sqrt(double(reader.spec.width));
  addLayers(reader, parts.layers, "layers", [&](int64_t i) {
    BranchSpec attention = branch(parts.attention);
    attention.attention->scores.window = windows[i];
    return gemmaSteps(std::move(attention), branch(parts.mlp), eps);
  });
  reader.spec.stack.finalNorm = gemmaNorm(reader.name("norm"), eps);
}

void generate::readGemma3(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults = gemma2Defaults();
  defaults.vocab = 262208;
  defaults.positions = 131072;
  defaults.theta = 1e6;
  RopeSource rope;
  rope.kind = "full_attention";
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  rope.kind = "sliding_attention";
  rope.thetaKey = "rope_local_base_freq";
  rope.headDim = parts.attention.headDim;
  rope.positions = reader.spec.positions;
  std::optional<RopeSpec> localRope = readRope(reader, rope);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.attention.scores.scale =
      1 / std::sqrt(fields.getPositive("query_pre_attn_scalar", 256));
  parts.attention.qkNorm = QkNormSpec{gemmaNorm("self_attn.q_norm", eps),
                                      gemmaNorm("self_attn.k_norm", eps)};
  // transformers reads it, and caps no scores.
  if (fields.has("attn_logit_softcapping"))
    fields.refuse("attn_logit_softcapping", "null");
  if (fields.findBool("use_bidirectional_attention").value_or(false))
    fields.refuse("use_bidirectional_attention", "false");
  if (fields.has("final_logit_softcapping")) {
    double cap = fields.getPositive("final_logit_softcapping", 30);
    if (reader.spec.head)
      reader.spec.head->softcap = cap;
  }
  int64_t pattern = fields.getInt("sliding_window_pattern", 6);
  auto windows = readGemmaWindows(
      reader, parts.layers, [&](int64_t i) { return (i + 1) % pattern != 0; });

  reader.spec.stack.embedding->scale = std::sqrt(double(reader.spec.width));
  addLayers(reader, parts.layers, "layers", [&](int64_t i) {
    BranchSpec attention = branch(parts.attention);
    attention.attention->scores.window = windows[i];
    if (windows[i])
      attention.attention->rope = localRope;
    return gemmaSteps(std::move(attention), branch(parts.mlp), eps);
  });
  reader.spec.stack.finalNorm = gemmaNorm(reader.name("norm"), eps);
}

void generate::readOlmo2(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 50304;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-5);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  QkNormSpec &qkNorm = parts.attention.qkNorm.emplace();
  qkNorm.q = rmsNorm("self_attn.q_norm", eps);
  qkNorm.k = rmsNorm("self_attn.k_norm", eps);
  qkNorm.extent = block::QkNormExtent::Whole;
  qkNorm.sharedByHeads = false;

  addLayers(reader, parts.layers, "layers", [&](int64_t) {
    std::vector<StepSpec> steps(2);
    steps[0].branches = {branch(parts.attention)};
    steps[0].branches[0].postNorm = rmsNorm("post_attention_layernorm", eps);
    steps[1].branches = {branch(parts.mlp)};
    steps[1].branches[0].postNorm = rmsNorm("post_feedforward_layernorm", eps);
    return steps;
  });
  reader.spec.stack.finalNorm = rmsNorm(reader.name("norm"), eps);
}

void generate::readCohere(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 256000;
  defaults.width = 8192;
  defaults.hidden = 22528;
  defaults.layers = 40;
  defaults.heads = 64;
  defaults.positions = 8192;
  defaults.theta = 500000;
  defaults.tied = true;
  RopeSource rope;
  rope.style = block::RopeStyle::Interleaved;
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  double eps = fields.getEps("layer_norm_eps", 1e-5);
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  AttentionSpec &attention = parts.attention;
  if (fields.getBool("use_qk_norm", false)) {
    auto headNorm = [&](const char *name, int64_t heads) {
      NormSpec norm = layerNorm(name, eps, false);
      norm.gamma.shape = {heads, attention.headDim};
      return norm;
    };
    QkNormSpec &qkNorm = attention.qkNorm.emplace();
    qkNorm.q = headNorm("self_attn.q_norm", attention.heads);
    qkNorm.k = headNorm("self_attn.k_norm", attention.kvHeads);
    qkNorm.sharedByHeads = false;
  }
  double logitScale = fields.getReal("logit_scale", 0.0625);
  if (reader.spec.head)
    reader.spec.head->scale = logitScale;

  addLayers(reader, parts.layers, "layers", [&](int64_t) {
    return std::vector<StepSpec>{
        parallelStep(layerNorm("input_layernorm", eps, false),
                     branch(parts.attention), branch(parts.mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("norm"), eps, false);
}

/// Returns a norm with one gain per head, each in a separate tensor.
static NormSpec stableLmHeadNorm(StringRef name, int64_t heads, double eps) {
  NormSpec norm = layerNorm("", eps, false);
  norm.gamma.names.clear();
  for (int64_t h = 0; h < heads; ++h)
    norm.gamma.names.push_back((name + ".norms." + Twine(h) + ".weight").str());
  return norm;
}

void generate::readStableLm(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 50304;
  defaults.width = 2560;
  defaults.hidden = 6912;
  defaults.kvHeads = 32;
  defaults.readsHeadDim = false;
  defaults.positions = 4096;
  RopeSource rope;
  rope.partial = 0.25;
  rope.takesPartial = true;
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  double eps = fields.getEps("layer_norm_eps", 1e-5);
  parts.setAttentionBias(fields.getBool("use_qkv_bias", false), false);
  AttentionSpec &attention = parts.attention;
  if (fields.getBool("qk_layernorm", false)) {
    if (attention.heads * parts.layers > limits::hidden)
      fields.fail("num_attention_heads", "expected at most " +
                                             Twine(limits::hidden) +
                                             " norms of heads");
    QkNormSpec &qkNorm = attention.qkNorm.emplace();
    qkNorm.q = stableLmHeadNorm("self_attn.q_layernorm", attention.heads, eps);
    qkNorm.k =
        stableLmHeadNorm("self_attn.k_layernorm", attention.kvHeads, eps);
    qkNorm.sharedByHeads = false;
  }
  bool parallel = fields.getBool("use_parallel_residual", false);

  NormSpec first = layerNorm("input_layernorm", eps);
  addLayers(
      reader, parts.layers, "layers", [&](int64_t) -> std::vector<StepSpec> {
        if (parallel)
          return {parallelStep(first, branch(attention), branch(parts.mlp))};
        return {preNormStep(first, branch(attention)),
                preNormStep(layerNorm("post_attention_layernorm", eps),
                            branch(parts.mlp))};
      });
  reader.spec.stack.finalNorm = layerNorm(reader.name("norm"), eps);
}
