//===- ModelSpec.h - a whole model as data ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The description of a model: filled in by `--family`
// (families/*.json), `--family=random` and `--config`, turned into IR by
// ModelBuilder.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_MODELSPEC_H
#define PARABLOCK_GENERATE_MODELSPEC_H

#include "parablock/Frontends/Generate/LayerSpec.h"

namespace parablock::generate {

struct EmbeddingSpec {
  std::string idsName = "input_ids"; // name of the input
  std::string table;                 // full name, [vocab, tableWidth]
  int64_t vocab = 0;
  int64_t tableWidth = 0; // 0: the model's width; else `projection` is needed
  /// Matrix [width, tableWidth] without ".weight"; positions are added after
  /// it.
  std::string projection;
  double scale = 1;

  std::string positionTable; // full name, [positionCount, width]; or empty
  int64_t positionCount = 0, positionOffset = 0;
  std::optional<int64_t> padId; // positions count the real tokens (RoBERTa)
  std::optional<block::Sinusoid> sinusoid;

  std::string typeTable; // full name, [typeCount, width]; or empty
  int64_t typeCount = 2;
  bool typeIds = false; // type ids are an input, else all are type 0

  std::optional<NormSpec> norm;
};

/// Image patches; the input is `pixel_values` [batch, channels, height, width].
struct PatchEmbeddingSpec {
  int64_t channels = 3, height = 224, width = 224;
  int64_t patchHeight = 16, patchWidth = 16;
  std::string weight;            // full name
  StoredVector bias, classToken; // class token usually of shape [1, 1, d]
  std::string positionTable;     // full name, stored as [1, tokens, d]
};

struct HeadTransformSpec {
  std::string linear; // without ".weight" and ".bias"; it has both
  block::Activation activation = block::Activation::GeluErf;
  NormSpec norm;
};

struct HeadSpec {
  std::string weight; // full name, [vocab, width]; the embedding's where tied
  int64_t vocab = 0;
  StoredVector bias;
  double scale = 1;
  std::optional<double> softcap;
  std::optional<HeadTransformSpec> transform; // masked language models
  /// Only the first token has logits, [batch, vocab].
  bool firstTokenOnly = false;
};

/// A stack without an embedding and without patches has the input
/// `hidden_states`.
struct StackSpec {
  std::optional<EmbeddingSpec> embedding;
  std::optional<PatchEmbeddingSpec> patches;
  std::vector<LayerSpec> layers;
  std::optional<NormSpec> finalNorm;
  /// Matrix [projectedWidth, width] after the final norm, without ".weight".
  std::string projection;
  int64_t projectedWidth = 0;
};

struct ModelSpec {
  std::string family;
  int64_t width = 0;
  /// Feeds the cross-attentions; without it they read the input
  /// `encoder_hidden_states`.
  std::optional<StackSpec> encoder;
  StackSpec stack;
  std::optional<HeadSpec> head;     // none: the output is `hidden_states`
  int64_t positions = 0;            // default of --seq; 0: 2048
  std::optional<PackedSpec> packed; // of the linear layers of stacks
  /// Decisions to be reported to the user, one sentence each.
  std::vector<std::string> remarks;
};

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_MODELSPEC_H
