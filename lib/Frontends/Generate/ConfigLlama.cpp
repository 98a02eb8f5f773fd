//===- ConfigLlama.cpp - reads llama, mistral, qwen and phi3 configs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigLlama.h"

using namespace parablock;
using namespace parablock::generate;
using Windows = std::vector<std::optional<int64_t>>;

void LlamaParts::setAttentionBias(bool qkv, bool o) {
  for (StoredLinear &stored : attention.linears)
    stored.bias = stored.parts.front() == Role::O ? o : qkv;
}

void LlamaParts::setMlpBias(bool bias) {
  for (StoredLinear &stored : mlp.linears)
    stored.bias = bias;
}

LlamaParts generate::readLlamaParts(ConfigReader &reader,
                                    const LlamaDefaults &defaults,
                                    const RopeSource &rope) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", defaults.positions});
  Trunk trunk =
      readTrunk(reader, defaults.vocab, {"hidden_size", defaults.width},
                {"num_hidden_layers", defaults.layers},
                {"num_attention_heads", defaults.heads},
                defaults.readsHeadDim || defaults.hasLatent);
  if (defaults.hasLatent)
    trunk.headDim = rope.headDim;
  else if (defaults.readsHeadDim)
    trunk.headDim = readHeadDim(reader, trunk, defaults.headDim);

  LlamaParts parts;
  parts.layers = trunk.layers;
  parts.attention = causalAttention(
      trunk.heads, readKvHeads(reader, trunk.heads, defaults.kvHeads),
      trunk.headDim);
  parts.attention.linears = llamaProjections();
  RopeSource source = rope;
  source.headDim = trunk.headDim;
  source.positions = reader.spec.positions;
  source.theta = defaults.theta;
  parts.attention.rope = readRope(reader, source);

  parts.mlp = plainMlp(
      fields.getInt("intermediate_size", defaults.hidden, 1, limits::hidden),
      fields.getActivation(defaults.activationKey, defaults.activation),
      "mlp.up_proj", "mlp.down_proj", false);
  parts.mlp.gated = true;
  parts.mlp.linears.push_back(linear("mlp.gate_proj", Role::Gate));

  setEmbeddingAndHead(reader, trunk.vocab, "embed_tokens.weight",
                      "lm_head.weight", defaults.tied);
  return parts;
}

void generate::finishLlama(ConfigReader &reader, const LlamaParts &parts,
                           double eps, const Windows &windows,
                           llvm::function_ref<BranchSpec(int64_t)> second) {
  addLayers(reader, parts.layers, "layers", [&](int64_t i) {
    AttentionSpec attention = parts.attention;
    if (!windows.empty())
      attention.scores.window = windows[i];
    return std::vector<StepSpec>{
        preNormStep(llamaNorm("input_layernorm", eps),
                    branch(std::move(attention))),
        preNormStep(llamaNorm("post_attention_layernorm", eps),
                    second ? second(i) : branch(parts.mlp))};
  });
  reader.spec.stack.finalNorm = llamaNorm(reader.name("norm"), eps);
}

void generate::readLlama(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaParts parts = readLlamaParts(reader, {});
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.setMlpBias(fields.getBool("mlp_bias", false));
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-6));
}

void generate::readMistral(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.hidden = 14336;
  defaults.kvHeads = 8;
  defaults.positions = 131072;
  LlamaParts parts = readLlamaParts(reader, defaults);
  parts.attention.scores.window = fields.isMissing("sliding_window")
                                      ? std::optional<int64_t>(4096)
                                      : fields.findInt("sliding_window");
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-6));
}

std::optional<int64_t> generate::readQwenWindow(const ConfigFields &fields) {
  std::optional<int64_t> window = fields.findInt("sliding_window");
  if (fields.isMissing("sliding_window"))
    window = 4096;
  if (!fields.getBool("use_sliding_window", false))
    window.reset();
  return window;
}

/// The windows of qwen2 and qwen3, off unless `use_sliding_window`.
static Windows readQwenWindows(ConfigReader &reader, int64_t layers) {
  const ConfigFields &fields = reader.fields;
  std::optional<int64_t> window = readQwenWindow(fields);
  int64_t firstSliding = fields.getInt("max_window_layers", 28, 0);
  return readLayerWindows(reader, layers, window, [&](int64_t i) {
    return window && i >= firstSliding;
  });
}

static LlamaDefaults qwenDefaults() {
  LlamaDefaults defaults;
  defaults.vocab = 151936;
  defaults.hidden = 22016;
  defaults.kvHeads = 32;
  defaults.positions = 32768;
  return defaults;
}

void generate::readQwen2(ConfigReader &reader) {
  LlamaParts parts = readLlamaParts(reader, qwenDefaults());
  parts.setAttentionBias(true, false);
  finishLlama(reader, parts, reader.fields.getEps("rms_norm_eps", 1e-6),
              readQwenWindows(reader, parts.layers));
}

void generate::readQwen3Attention(ConfigReader &reader, LlamaParts &parts,
                                  double eps) {
  bool bias = reader.fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.attention.qkNorm = QkNormSpec{llamaNorm("self_attn.q_norm", eps),
                                      llamaNorm("self_attn.k_norm", eps)};
}

void generate::readQwen3(ConfigReader &reader) {
  LlamaDefaults defaults = qwenDefaults();
  defaults.headDim = 128;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = reader.fields.getEps("rms_norm_eps", 1e-6);
  readQwen3Attention(reader, parts, eps);
  finishLlama(reader, parts, eps, readQwenWindows(reader, parts.layers));
}

void generate::readPhi3(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 32064;
  defaults.width = 3072;
  defaults.hidden = 8192;
  defaults.positions = 4096;
  RopeSource rope;
  rope.takesPartial = rope.takesOdd = rope.onlyLongRope = true;
  rope.originalPositions = 4096;
  LlamaParts parts = readLlamaParts(reader, defaults, rope);
  parts.attention.linears = {
      fused("self_attn.qkv_proj", {Role::Q, Role::K, Role::V}),
      linear("self_attn.o_proj", Role::O)};
  parts.mlp.linears = {fused("mlp.gate_up_proj", {Role::Gate, Role::Up}),
                       linear("mlp.down_proj", Role::Down)};
  parts.attention.scores.window = fields.findInt("sliding_window");
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-5));
}

void generate::readGranite(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaParts parts = readLlamaParts(reader, {});
  bool bias = fields.getBool("attention_bias", false);
  parts.setAttentionBias(bias, bias);
  parts.setMlpBias(fields.getBool("mlp_bias", false));
  parts.attention.scores.scale = fields.getReal("attention_multiplier", 1);
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-6));
  scaleGranite(reader);
}

void generate::scaleGranite(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  double branchScale = fields.getReal("residual_multiplier", 1);
  for (LayerSpec &layer : reader.spec.stack.layers)
    for (StepSpec &step : layer.steps)
      step.branches.front().scale = branchScale;
  reader.spec.stack.embedding->scale =
      fields.getReal("embedding_multiplier", 1);
  double divisor = fields.getReal("logits_scaling", 1);
  if (divisor == 0)
    fields.refuse("logits_scaling", "a number other than 0");
  else if (reader.spec.head)
    reader.spec.head->scale = 1 / divisor;
}
