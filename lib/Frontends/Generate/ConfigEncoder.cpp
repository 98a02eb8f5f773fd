//===- ConfigEncoder.cpp - reads bert, roberta and vit configs ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct EncoderParts {
  Trunk trunk;
  AttentionSpec attention;
  MlpSpec mlp;
  double eps;
};
} // namespace

/// Reads the fields that bert, roberta and vit share; `vocab` is not read if it
/// is 0.
static EncoderParts readEncoder(ConfigReader &reader, const std::string &inner,
                                bool qkvBias, int64_t vocab) {
  const ConfigFields &fields = reader.fields;
  EncoderParts parts;
  parts.trunk =
      readTrunk(reader, vocab, {"hidden_size", 768}, {"num_hidden_layers", 12},
                {"num_attention_heads", 12});
  parts.attention = causalAttention(parts.trunk.heads, parts.trunk.heads,
                                    parts.trunk.headDim);
  parts.attention.scores.causal = false;
  parts.attention.linears =
      separateProjections("attention.",
                          {(inner + "query").c_str(), (inner + "key").c_str(),
                           (inner + "value").c_str(), "output.dense"},
                          qkvBias, true);
  parts.mlp =
      plainMlp(fields.getInt("intermediate_size", 3072, 1, limits::hidden),
               fields.getActivation("hidden_act", "gelu"), "intermediate.dense",
               "output.dense", true);
  parts.eps = fields.getEps("layer_norm_eps", 1e-12);
  return parts;
}

/// bert and roberta up to their heads.
static EncoderParts readBertStack(ConfigReader &reader, int64_t vocab,
                                  StringRef untiedHead) {
  const ConfigFields &fields = reader.fields;
  readPositions(reader, {"max_position_embeddings", 512});
  EncoderParts parts = readEncoder(reader, "self.", true, vocab);
  std::string positions =
      fields.getString("position_embedding_type", "absolute");
  if (positions != "absolute")
    fields.refuse("position_embedding_type", "the string \"absolute\"");
  parts.attention.scores.causal = fields.getBool("is_decoder", false);

  setEmbeddingAndHead(reader, parts.trunk.vocab,
                      "embeddings.word_embeddings.weight", untiedHead, true);
  EmbeddingSpec &embedding = *reader.spec.stack.embedding;
  embedding.positionTable =
      reader.name("embeddings.position_embeddings.weight");
  embedding.positionCount = reader.spec.positions;
  embedding.typeTable = reader.name("embeddings.token_type_embeddings.weight");
  embedding.typeCount = fields.getInt("type_vocab_size", 2);
  embedding.norm = layerNorm(reader.name("embeddings.LayerNorm"), parts.eps);
  addLayers(reader, parts.trunk.layers, "encoder.layer", [&](int64_t) {
    return std::vector<StepSpec>{
        postNormStep(layerNorm("attention.output.LayerNorm", parts.eps),
                     branch(parts.attention)),
        postNormStep(layerNorm("output.LayerNorm", parts.eps),
                     branch(parts.mlp))};
  });
  return parts;
}

/// The head of a masked language model: a transform, then the vocabulary.
static void setMaskedHead(ConfigReader &reader, const EncoderParts &parts,
                          const std::string &transform, const std::string &norm,
                          block::Activation activation, const char *tiedBias,
                          const char *untiedBias) {
  if (!reader.spec.head)
    return;
  HeadSpec &head = *reader.spec.head;
  head.transform =
      HeadTransformSpec{transform, activation, layerNorm(norm, parts.eps)};
  bool tied = head.weight == reader.spec.stack.embedding->table;
  head.bias = tied ? tiedBias : untiedBias;
}

void generate::readBert(ConfigReader &reader) {
  EncoderParts parts =
      readBertStack(reader, 30522, "cls.predictions.decoder.weight");
  setMaskedHead(reader, parts, "cls.predictions.transform.dense",
                "cls.predictions.transform.LayerNorm", parts.mlp.activation,
                "cls.predictions.bias", "cls.predictions.decoder.bias");
}

void generate::readRoberta(ConfigReader &reader) {
  EncoderParts parts = readBertStack(reader, 50265, "lm_head.decoder.weight");
  // Positions count the real tokens, starting after the padding id; so a
  // sequence must be shorter than the table.
  int64_t padId = reader.fields.getInt("pad_token_id", 1, 0);
  reader.spec.stack.embedding->padId = padId;
  reader.spec.positions -= padId + 1;
  if (reader.spec.positions < 1)
    reader.fields.refuse("max_position_embeddings",
                         "more than the padding id " + Twine(padId) +
                             " and one");
  setMaskedHead(reader, parts, "lm_head.dense", "lm_head.layer_norm",
                block::Activation::GeluErf, "lm_head.bias",
                "lm_head.decoder.bias");
}

void generate::readVit(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  bool qkvBias = fields.getBool("qkv_bias", true);
  EncoderParts parts = readEncoder(reader, "attention.", qkvBias, 0);
  PatchEmbeddingSpec patches;
  std::tie(patches.height, patches.width) =
      fields.findIntPair("image_size", limits::headDim)
          .value_or(std::pair(224, 224));
  std::tie(patches.patchHeight, patches.patchWidth) =
      fields.findIntPair("patch_size", limits::headDim)
          .value_or(std::pair(16, 16));
  patches.channels = fields.getInt("num_channels", 3, 1, limits::headDim);
  if (patches.height % patches.patchHeight ||
      patches.width % patches.patchWidth)
    fields.refuse("image_size", "a whole number of patches of " +
                                    Twine(patches.patchHeight) + " by " +
                                    Twine(patches.patchWidth));
  std::string projection =
      reader.name("embeddings.patch_embeddings.projection");
  patches.weight = projection + ".weight";
  patches.bias = projection + ".bias";
  patches.classToken = {reader.name("embeddings.cls_token"),
                        {1, 1, parts.trunk.width}};
  patches.positionTable = reader.name("embeddings.position_embeddings");
  reader.spec.positions = (patches.height / patches.patchHeight) *
                              (patches.width / patches.patchWidth) +
                          1;
  reader.spec.stack.patches = std::move(patches);

  addLayers(reader, parts.trunk.layers, "encoder.layer", [&](int64_t) {
    return std::vector<StepSpec>{
        preNormStep(layerNorm("layernorm_before", parts.eps),
                    branch(parts.attention)),
        preNormStep(layerNorm("layernorm_after", parts.eps),
                    branch(parts.mlp))};
  });
  reader.spec.stack.finalNorm = layerNorm(reader.name("layernorm"), parts.eps);
  if (reader.task == Task::Classifier) {
    HeadSpec &head = reader.spec.head.emplace();
    head.weight = "classifier.weight";
    head.bias = "classifier.bias";
    head.vocab = fields.isMissing("id2label")
                     ? 2
                     : fields.getObject("id2label").countFields();
    head.firstTokenOnly = true;
    if (head.vocab < 1)
      fields.refuse("id2label", "at least one label");
  }
}
