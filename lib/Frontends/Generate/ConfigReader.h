//===- ConfigReader.h - helpers shared by readers ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_CONFIGREADER_H
#define PARABLOCK_LIB_GENERATE_CONFIGREADER_H

#include "ConfigFields.h"
#include "SpecParts.h"
#include "parablock/Frontends/Generate/Config.h"

namespace parablock::generate {

/// The results of a class of `architectures`.
enum class Task {
  Bare,        ///< hidden states; names have no prefix
  Logits,      ///< the model with its language or masked-language head
  Classifier,  ///< logits of the first token
  EncoderOnly, ///< the encoder of an encoder-decoder, without prefix
  DecoderOnly  ///< the decoder of an encoder-decoder, with a language head
};

/// One config and the model read from it.
struct ConfigReader {
  const ConfigFields &fields;
  Task task;
  std::string prefix; // of names: "transformer." or ""
  SequenceRequest sequence;
  ModelSpec &spec;

  bool hasHead() const { return task != Task::Bare; }
  std::string name(llvm::StringRef suffix) const {
    return prefix + suffix.str();
  }
};

//===----------------------------------------------------------------------===//
// Readers, one per model type
//===----------------------------------------------------------------------===//

void readGpt2(ConfigReader &reader);
void readGptJ(ConfigReader &reader);
void readCodeGen(ConfigReader &reader);
void readGptNeoX(ConfigReader &reader);
void readFalcon(ConfigReader &reader);
void readBloom(ConfigReader &reader);
void readMpt(ConfigReader &reader);
void readOpt(ConfigReader &reader);
void readPhi(ConfigReader &reader);
void readPhi3(ConfigReader &reader);
void readLlama(ConfigReader &reader);
void readMistral(ConfigReader &reader);
void readMixtral(ConfigReader &reader);
void readQwen2(ConfigReader &reader);
void readQwen3(ConfigReader &reader);
void readQwen3Moe(ConfigReader &reader);
void readOlmoe(ConfigReader &reader);
void readGraniteMoe(ConfigReader &reader);
void readGptOss(ConfigReader &reader);
void readDeepseekV2(ConfigReader &reader);
void readDeepseekV3(ConfigReader &reader);
void readGlm4Moe(ConfigReader &reader);
void readMinimaxM2(ConfigReader &reader);
void readGemma(ConfigReader &reader);
void readGemma2(ConfigReader &reader);
void readGemma3(ConfigReader &reader);
void readOlmo2(ConfigReader &reader);
void readGranite(ConfigReader &reader);
void readCohere(ConfigReader &reader);
void readStableLm(ConfigReader &reader);
void readBert(ConfigReader &reader);
void readRoberta(ConfigReader &reader);
void readVit(ConfigReader &reader);
void readT5(ConfigReader &reader);
void readBart(ConfigReader &reader);

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// A field and its default.
struct SizeField {
  llvm::StringRef key;
  int64_t fallback;
};

struct Trunk {
  int64_t vocab = 0, width = 0, layers = 0, heads = 0;
  int64_t headDim = 0; // width / heads
};

/// Reads the sizes that every model has and sets the width of the model.
/// Unless `headDimIsOwn`, the width must be a multiple of the heads.
Trunk readTrunk(ConfigReader &reader, int64_t vocab, SizeField width,
                SizeField layers, SizeField heads, bool headDimIsOwn = false);

/// Returns `head_dim`, or if it is null or missing `fallback`, or with 0 the
/// width divided by the heads.
int64_t readHeadDim(ConfigReader &reader, const Trunk &trunk, int64_t fallback);

/// `num_key_value_heads`; missing: `fallback`, or with 0, or null: all heads.
int64_t readKvHeads(ConfigReader &reader, int64_t heads, int64_t fallback,
                    llvm::StringRef key = "num_key_value_heads");

/// Reads the number of positions and makes it the default sequence.
int64_t readPositions(ConfigReader &reader, SizeField positions);

/// Checks that `divisor` divides `number`, two values of those keys.
void requireMultiple(const ConfigFields &fields, llvm::StringRef key,
                     int64_t number, llvm::StringRef divisorKey,
                     int64_t divisor);

/// Causal self-attention of that many heads, scaled by 1 / sqrt(headDim).
AttentionSpec causalAttention(int64_t heads, int64_t kvHeads, int64_t headDim);

MlpSpec plainMlp(int64_t hidden, block::Activation activation,
                 llvm::StringRef up, llvm::StringRef down, bool bias);

using MakeSteps = llvm::function_ref<std::vector<StepSpec>(int64_t)>;

/// Appends layers named `name`.0, `name`.1, ... with the steps of each.
void addLayers(ConfigReader &reader, StackSpec &stack, int64_t count,
               llvm::StringRef name, MakeSteps makeSteps);
inline void addLayers(ConfigReader &reader, int64_t count, llvm::StringRef name,
                      MakeSteps makeSteps) {
  addLayers(reader, reader.spec.stack, count, name, makeSteps);
}

/// Sets a token embedding, and a language head that reads its table if
/// `tie_word_embeddings` (default: `tied`) is true, else `headName`. Only tasks
/// with a head get one.
void setEmbeddingAndHead(ConfigReader &reader, int64_t vocab,
                         llvm::StringRef table, llvm::StringRef headName,
                         bool tied);

/// The rotary settings that a model type reads.
struct RopeSource {
  int64_t headDim = 0, positions = 0;
  block::RopeStyle style = block::RopeStyle::Half;
  double theta = 10000, partial = 1;
  llvm::StringRef thetaKey = "rope_theta";
  llvm::StringRef partialKey = "partial_rotary_factor";
  /// The kind of layers whose settings `rope_parameters` has under this name;
  /// empty: one for all layers. `rope_scaling` is of full attention.
  llvm::StringRef kind = {};
  /// Rotates a part of each head; other types always rotate all of it.
  bool takesPartial = false;
  /// An odd rotated part is completed to an even one.
  bool takesOdd = false;
  /// Default of the top level's `original_max_position_embeddings`.
  std::optional<int64_t> originalPositions = std::nullopt;
  /// Only `longrope`, also by its older names, besides the plain form.
  bool onlyLongRope = false;
};

/// None where nothing is rotated.
std::optional<RopeSpec> readRope(ConfigReader &reader, RopeSource source);

/// Returns the scale of scores of heads of that width: a stretched rotation
/// with `mscale_all_dim` multiplies it by the square of a magnitude.
double readLatentScale(ConfigReader &reader, int64_t headDim);

/// Returns the sliding windows of a model whose `layer_types` names the layers
/// with one. If it is missing, `isSliding` decides.
std::vector<std::optional<int64_t>>
readLayerWindows(ConfigReader &reader, int64_t layers,
                 std::optional<int64_t> window,
                 llvm::function_ref<bool(int64_t)> isSliding);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_CONFIGREADER_H
