//===- ConfigEncoderDecoder.cpp - reads t5 and bart configs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;

static constexpr const char *decoderIds = "decoder_input_ids";

/// Returns the same attention, reading the encoder's output.
static AttentionSpec crossAttention(AttentionSpec attention,
                                    std::vector<StoredLinear> linears) {
  attention.cross = true;
  attention.scores.causal = false;
  attention.buckets.reset();
  attention.linears = std::move(linears);
  return attention;
}

//===----------------------------------------------------------------------===//
// t5
//===----------------------------------------------------------------------===//

namespace {
struct T5Parts {
  AttentionSpec attention;
  MlpSpec mlp; // names relative to the MLP's sublayer
  double eps;
};
} // namespace

static std::vector<StoredLinear> t5Linears(const std::string &name) {
  return separateProjections(name + ".", {"q", "k", "v", "o"}, false, false);
}

/// `feed_forward_proj`: an activation, or "gated-" and one.
static MlpSpec readT5Mlp(const ConfigFields &fields) {
  std::string form = fields.getString("feed_forward_proj", "relu");
  StringRef name = form;
  bool gated = name.consume_front("gated-");
  if (gated && name == "gelu") // the checkpoints mean the tanh form
    name = "gelu_new";
  std::optional<block::Activation> activation = parseActivation(name);
  if (!activation)
    fields.fail("feed_forward_proj",
                "activation '" + form + "' is not supported");
  MlpSpec mlp = plainMlp(fields.getInt("d_ff", 2048, 1, limits::hidden),
                         activation.value_or(block::Activation::Relu),
                         gated ? "DenseReluDense.wi_1" : "DenseReluDense.wi",
                         "DenseReluDense.wo", false);
  mlp.gated = gated;
  if (gated)
    mlp.linears.push_back(linear("DenseReluDense.wi_0", Role::Gate));
  return mlp;
}

/// Returns self-attention, cross-attention if `cross`, and MLP; each in a
/// numbered sublayer.
static std::vector<StepSpec> makeT5Steps(const T5Parts &parts, bool cross) {
  std::vector<StepSpec> steps;
  auto add = [&](BranchSpec made) {
    std::string sublayer = "layer." + std::to_string(steps.size());
    auto &linears = made.mlp ? made.mlp->linears : made.attention->linears;
    for (StoredLinear &stored : linears)
      stored.name = sublayer + "." + stored.name;
    steps.push_back(preNormStep(llamaNorm(sublayer + ".layer_norm", parts.eps),
                                std::move(made)));
  };
  add(branch(parts.attention));
  if (cross)
    add(branch(crossAttention(parts.attention, t5Linears("EncDecAttention"))));
  add(branch(parts.mlp));
  return steps;
}

static void fillT5Stack(ConfigReader &reader, StackSpec &stack, T5Parts parts,
                        const std::string &name, int64_t layers,
                        int64_t vocab) {
  bool decoder = name == "decoder";
  EmbeddingSpec &embedding = stack.embedding.emplace();
  embedding.table = "shared.weight";
  embedding.vocab = vocab;
  if (decoder)
    embedding.idsName = decoderIds;
  parts.attention.scores.causal = decoder;
  parts.attention.buckets->bidirectional = !decoder;
  parts.attention.buckets->table =
      "/" + name +
      ".block.0.layer.0.SelfAttention.relative_attention_bias.weight";
  addLayers(reader, stack, layers, name + ".block",
            [&](int64_t) { return makeT5Steps(parts, decoder); });
  stack.finalNorm = llamaNorm(name + ".final_layer_norm", parts.eps);
}

void generate::readT5(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  // Heads may have any size here.
  Trunk trunk =
      readTrunk(reader, 32128, {fields.either("hidden_size", "d_model"), 512},
                {fields.either("num_hidden_layers", "num_layers"), 6},
                {fields.either("num_attention_heads", "num_heads"), 8}, true);
  int64_t decoderLayers =
      fields.findInt("num_decoder_layers", 1, limits::layers)
          .value_or(trunk.layers);
  T5Parts parts;
  parts.eps = fields.getEps("layer_norm_epsilon", 1e-6);
  StringRef headKey = fields.either("head_dim", "d_kv");
  int64_t headDim = fields.getInt(headKey, 64, 1, limits::headDim);
  if (headDim * trunk.heads > limits::hidden)
    fields.refuse(headKey, "heads that together have at most " +
                               Twine(limits::hidden) + " components");
  parts.attention = causalAttention(trunk.heads, trunk.heads, headDim);
  parts.attention.scores.scale = 1;
  parts.attention.linears = t5Linears("SelfAttention");
  BucketsSpec &buckets = parts.attention.buckets.emplace();
  buckets.count = fields.getInt("relative_attention_num_buckets", 32, 4);
  buckets.maxDistance =
      fields.getInt("relative_attention_max_distance", 128, 1);
  // Beyond the exact buckets, distances share buckets by their logarithm.
  if (buckets.maxDistance <= buckets.count / 2)
    fields.refuse("relative_attention_max_distance",
                  "more than half of the " + Twine(buckets.count) + " buckets");
  parts.mlp = readT5Mlp(fields);

  ModelSpec &spec = reader.spec;
  if (reader.task == Task::EncoderOnly) {
    fillT5Stack(reader, spec.stack, parts, "encoder", trunk.layers,
                trunk.vocab);
    return;
  }
  fillT5Stack(reader, spec.encoder.emplace(), parts, "encoder", trunk.layers,
              trunk.vocab);
  fillT5Stack(reader, spec.stack, parts, "decoder", decoderLayers, trunk.vocab);
  // A tied head reads scaled states. Releases since 5.0 tie every head and
  // store the training value in a separate field.
  bool tied = fields.getBool("tie_word_embeddings", true);
  bool scaled = fields.getBool("scale_decoder_outputs", tied);
  if (!reader.hasHead())
    return;
  HeadSpec &head = spec.head.emplace();
  head.weight = tied ? "shared.weight" : "lm_head.weight";
  head.vocab = trunk.vocab;
  if (scaled)
    head.scale = 1 / std::sqrt(double(trunk.width));
}

//===----------------------------------------------------------------------===//
// bart
//===----------------------------------------------------------------------===//

/// BART's position tables begin with two unused rows.
static constexpr int64_t bartPositionOffset = 2;

static std::vector<StoredLinear> bartLinears(const std::string &name) {
  return separateProjections(
      name + ".", {"q_proj", "k_proj", "v_proj", "out_proj"}, true, true);
}

/// Fills the stack `side`: "encoder" or "decoder", reading an encoder if
/// `cross`.
static void fillBartStack(ConfigReader &reader, StackSpec &stack,
                          const std::string &side, SizeField layersField,
                          bool cross) {
  const ConfigFields &fields = reader.fields;
  std::string headsKey = side + "_attention_heads";
  std::string hiddenKey = side + "_ffn_dim";
  bool decoder = side == "decoder";
  Trunk trunk = readTrunk(
      reader, 50265, {fields.either("hidden_size", "d_model"), 1024},
      layersField,
      {decoder ? headsKey : fields.either("num_attention_heads", headsKey),
       16});
  bool tied = fields.getBool("tie_word_embeddings", true);
  std::string prefix = reader.name(side);

  EmbeddingSpec &embedding = stack.embedding.emplace();
  embedding.table = tied && reader.task != Task::DecoderOnly
                        ? reader.name("shared.weight")
                        : prefix + ".embed_tokens.weight";
  embedding.vocab = trunk.vocab;
  if (cross)
    embedding.idsName = decoderIds;
  if (fields.getBool("scale_embedding", false))
    embedding.scale = std::sqrt(double(trunk.width));
  embedding.positionTable = prefix + ".embed_positions.weight";
  embedding.positionCount = reader.spec.positions + bartPositionOffset;
  embedding.positionOffset = bartPositionOffset;
  embedding.norm = layerNorm(prefix + ".layernorm_embedding");

  AttentionSpec attention =
      causalAttention(trunk.heads, trunk.heads, trunk.headDim);
  attention.scores.causal = decoder;
  attention.linears = bartLinears("self_attn");
  MlpSpec mlp = plainMlp(fields.getInt(hiddenKey, 4096, 1, limits::hidden),
                         fields.getActivation("activation_function", "gelu"),
                         "fc1", "fc2", true);
  addLayers(reader, stack, trunk.layers, side + ".layers", [&](int64_t) {
    std::vector<StepSpec> steps = {
        postNormStep(layerNorm("self_attn_layer_norm"), branch(attention))};
    if (cross)
      steps.push_back(postNormStep(
          layerNorm("encoder_attn_layer_norm"),
          branch(crossAttention(attention, bartLinears("encoder_attn")))));
    steps.push_back(postNormStep(layerNorm("final_layer_norm"), branch(mlp)));
    return steps;
  });
}

void generate::readBart(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  ModelSpec &spec = reader.spec;
  readPositions(reader, {"max_position_embeddings", 1024});
  bool cross = reader.task != Task::DecoderOnly;
  if (cross)
    fillBartStack(reader, spec.encoder.emplace(), "encoder",
                  {fields.either("num_hidden_layers", "encoder_layers"), 12},
                  false);
  fillBartStack(reader, spec.stack, "decoder", {"decoder_layers", 12}, cross);
  if (!reader.hasHead())
    return;
  bool tied = fields.getBool("tie_word_embeddings", true);
  HeadSpec &head = spec.head.emplace();
  head.vocab = spec.stack.embedding->vocab;
  head.weight = tied ? spec.stack.embedding->table : "lm_head.weight";
  if (cross)
    head.bias = {"final_logits_bias", {1, head.vocab}};
}
