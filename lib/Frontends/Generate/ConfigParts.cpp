//===- ConfigParts.cpp - reads fields shared by configs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;

void generate::requireMultiple(const ConfigFields &fields, StringRef key,
                               int64_t number, StringRef divisorKey,
                               int64_t divisor) {
  if (number % divisor)
    fields.fail(key, "expected a multiple of '" + divisorKey + "' (" +
                         Twine(divisor) + "), got " + Twine(number));
}

Trunk generate::readTrunk(ConfigReader &reader, int64_t vocab, SizeField width,
                          SizeField layers, SizeField heads,
                          bool headDimIsOwn) {
  const ConfigFields &fields = reader.fields;
  Trunk trunk;
  trunk.vocab = fields.getInt("vocab_size", vocab);
  trunk.width = fields.getInt(width.key, width.fallback, 1, limits::width);
  trunk.layers = fields.getInt(layers.key, layers.fallback, 1, limits::layers);
  trunk.heads = fields.getInt(heads.key, heads.fallback, 1, limits::heads);
  if (!headDimIsOwn) {
    requireMultiple(fields, width.key, trunk.width, heads.key, trunk.heads);
    trunk.headDim = std::max<int64_t>(trunk.width / trunk.heads, 1);
    if (trunk.headDim > limits::headDim)
      fields.fail(width.key, "expected heads of at most " +
                                 Twine(limits::headDim) + " components, got " +
                                 Twine(trunk.headDim));
  }
  reader.spec.width = trunk.width;
  return trunk;
}

int64_t generate::readHeadDim(ConfigReader &reader, const Trunk &trunk,
                              int64_t fallback) {
  const ConfigFields &fields = reader.fields;
  std::optional<int64_t> given = fields.findInt("head_dim", 1, limits::headDim);
  if (!given && !fallback)
    requireMultiple(fields, "hidden_size", trunk.width, "num_attention_heads",
                    trunk.heads);
  int64_t headDim = given.value_or(
      fallback ? fallback : std::max<int64_t>(trunk.width / trunk.heads, 1));
  if (headDim > limits::headDim || headDim * trunk.heads > limits::hidden)
    fields.fail("num_attention_heads",
                "expected heads that together have at most " +
                    Twine(limits::hidden) + " components, got " +
                    Twine(trunk.heads) + " of " + Twine(headDim));
  return headDim;
}

int64_t generate::readKvHeads(ConfigReader &reader, int64_t heads,
                              int64_t fallback, StringRef key) {
  const ConfigFields &fields = reader.fields;
  int64_t missing = fallback && fields.isMissing(key) ? fallback : heads;
  int64_t kvHeads = fields.findInt(key, 1, limits::heads).value_or(missing);
  if (heads % kvHeads)
    fields.fail(key, "expected a divisor of the " + Twine(heads) +
                         " heads, got " + Twine(kvHeads));
  return kvHeads;
}

int64_t generate::readPositions(ConfigReader &reader, SizeField positions) {
  reader.spec.positions =
      reader.fields.getInt(positions.key, positions.fallback);
  return reader.spec.positions;
}

AttentionSpec generate::causalAttention(int64_t heads, int64_t kvHeads,
                                        int64_t headDim) {
  AttentionSpec attention;
  attention.heads = heads;
  attention.kvHeads = kvHeads;
  attention.headDim = attention.valueHeadDim = headDim;
  attention.scores.scale = 1 / std::sqrt(double(headDim));
  attention.scores.causal = true;
  return attention;
}

MlpSpec generate::plainMlp(int64_t hidden, block::Activation activation,
                           StringRef up, StringRef down, bool bias) {
  MlpSpec mlp;
  mlp.hidden = hidden;
  mlp.activation = activation;
  mlp.linears = {linear(up.str(), Role::Up, bias),
                 linear(down.str(), Role::Down, bias)};
  return mlp;
}

void generate::addLayers(ConfigReader &reader, StackSpec &stack, int64_t count,
                         StringRef name, MakeSteps makeSteps) {
  for (int64_t i = 0; i < count; ++i)
    stack.layers.push_back(
        {reader.name((name + "." + Twine(i)).str()), makeSteps(i)});
}

void generate::setEmbeddingAndHead(ConfigReader &reader, int64_t vocab,
                                   StringRef table, StringRef headName,
                                   bool tied) {
  EmbeddingSpec &embedding = reader.spec.stack.embedding.emplace();
  embedding.table = reader.name(table);
  embedding.vocab = vocab;
  tied = reader.fields.getBool("tie_word_embeddings", tied);
  if (!reader.hasHead())
    return;
  HeadSpec &head = reader.spec.head.emplace();
  head.weight = tied ? embedding.table : headName.str();
  head.vocab = vocab;
}

std::vector<std::optional<int64_t>>
generate::readLayerWindows(ConfigReader &reader, int64_t layers,
                           std::optional<int64_t> window,
                           llvm::function_ref<bool(int64_t)> isSliding) {
  const ConfigFields &fields = reader.fields;
  std::vector<std::optional<int64_t>> windows(layers);
  auto types = fields.findStrings("layer_types");
  if (types && int64_t(types->size()) != layers) {
    fields.fail("layer_types", "expected " + Twine(layers) + " entries, got " +
                                   Twine(types->size()));
    return windows;
  }
  for (int64_t i = 0; i < layers; ++i) {
    bool sliding = types ? (*types)[i] == "sliding_attention" : isSliding(i);
    if (types && !sliding && (*types)[i] != "full_attention")
      fields.fail("layer_types",
                  "layer type '" + (*types)[i] + "' is not supported");
    if (sliding && !window)
      fields.fail("sliding_window",
                  "layer " + Twine(i) + " slides, but no window is given");
    if (sliding)
      windows[i] = window;
  }
  return windows;
}
