//===- RandomModel.cpp - draws random models ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomModel.h"
#include "RandomForms.h"
#include "llvm/ADT/Twine.h"

namespace parablock::generate {

/// Returns small sizes, unless flags set them.
static llvm::Expected<RandomSizes> randomSizes(const Dice &dice,
                                               const SizeFlags &flags) {
  RandomSizes sizes;
  sizes.layers = flags.layers.value_or(1 + dice.pick("layers", 3));
  sizes.heads =
      flags.heads.value_or(dice.among<int64_t>("heads", {1, 2, 3, 4, 6, 8}));
  int64_t anyDim = dice.among<int64_t>("head dim", {4, 6, 8, 10});
  int64_t width = dice.among<int64_t>("width", {16, 24, 32, 40, 48, 64});
  bool exact = dice.chance("heads fill width", 60);
  if (exact)
    width = sizes.heads * std::max<int64_t>(anyDim, 24 / sizes.heads);
  sizes.width = flags.width.value_or(width);
  exact = exact && sizes.width % sizes.heads == 0;
  sizes.headDim =
      flags.headDim.value_or(exact ? sizes.width / sizes.heads : anyDim);
  sizes.valueHeadDim = sizes.headDim;
  if (dice.chance("other value width", 25))
    sizes.valueHeadDim = 2 + 2 * dice.pick("value width", 8);
  std::vector<int64_t> divisors;
  for (int64_t count = 1; count <= sizes.heads; ++count)
    if (sizes.heads % count == 0)
      divisors.push_back(count);
  sizes.kvHeads = flags.kvHeads.value_or(
      dice.chance("grouped", 50)
          ? divisors[dice.pick("groups", divisors.size())]
          : sizes.heads);
  if (sizes.heads % sizes.kvHeads)
    return llvm::createStringError(
        "expected --heads=" + llvm::Twine(sizes.heads) +
        " to be a multiple of --kv-heads, " + llvm::Twine(sizes.kvHeads));
  sizes.hidden = flags.hidden.value_or(
      dice.among<int64_t>("hidden", {24, 40, 64, 100, 128}));
  sizes.vocab = flags.vocab.value_or(40 + dice.pick("vocab", 24));
  sizes.positions = flags.positions.value_or(64);
  return sizes;
}

static EmbeddingSpec randomEmbedding(const Dice &dice, const RandomSizes &sizes,
                                     const std::string &name) {
  EmbeddingSpec embedding;
  embedding.table = name + ".tokens.weight";
  embedding.vocab = sizes.vocab;
  if (dice.chance("scaled", 30))
    embedding.scale = dice.real("scale", 0.5, 8);
  auto addPositions = [&](int64_t offset) {
    embedding.positionTable = name + ".positions.weight";
    embedding.positionCount = sizes.positions + offset;
  };
  switch (dice.pick("positions", 4)) {
  case 0:
    break;
  case 1:
    embedding.positionOffset = dice.among<int64_t>("offset", {0, 2});
    addPositions(embedding.positionOffset);
    break;
  case 2:
    // Positions count the real tokens from the padding id on.
    embedding.padId = dice.pick("pad", 3);
    addPositions(*embedding.padId + 1);
    break;
  default:
    embedding.sinusoid =
        dice.among("sinusoid", {block::Sinusoid::Interleaved,
                                block::Sinusoid::Concatenated});
    break;
  }
  if (dice.chance("types", 25)) {
    embedding.typeTable = name + ".types.weight";
    embedding.typeCount = 1 + dice.pick("type count", 3);
  }
  if (dice.chance("norm", 25))
    embedding.norm = randomNorm(dice.in("norm"), name + ".norm");
  return embedding;
}

static HeadSpec randomHead(const Dice &dice, const RandomSizes &sizes,
                           const EmbeddingSpec *embedding) {
  bool tied = embedding && dice.chance("tied", 50);
  HeadSpec result;
  result.weight = tied ? embedding->table : "head.weight";
  result.vocab = sizes.vocab;
  if (dice.chance("bias", 40)) {
    result.bias = "head.bias";
    if (dice.chance("row", 30))
      result.bias.shape = {1, sizes.vocab};
  }
  if (dice.chance("scaled", 30))
    result.scale = dice.real("scale", 0.1, 2);
  if (dice.chance("softcap", 25))
    result.softcap = dice.real("cap", 5, 30);
  if (dice.chance("transform", 15)) {
    HeadTransformSpec &transform = result.transform.emplace();
    transform.linear = "head.transform";
    transform.activation = dice.among(
        "activation", {block::Activation::GeluErf, block::Activation::Silu});
    transform.norm = randomNorm(dice.in("norm"), "head.norm");
  }
  return result;
}

static StackSpec randomStack(const Dice &dice, const RandomSizes &sizes,
                             const std::string &name, bool causal, bool cross) {
  StackSpec stack;
  for (int64_t index = 0; index < sizes.layers; ++index) {
    // Layers are equal, except for one choice in five models.
    bool alike = !dice.chance("layers differ", 20);
    Dice layer = dice.in(alike ? "layer" : "layer " + std::to_string(index));
    stack.layers.push_back(
        {name + ".layers." + std::to_string(index),
         randomSteps(dice, layer, sizes, causal, cross, index)});
  }
  if (dice.chance("final norm", 70))
    stack.finalNorm = randomNorm(dice.in("final"), name + ".final_norm");
  return stack;
}

llvm::Expected<ModelSpec> makeRandomModel(uint64_t seed,
                                          const SizeFlags &flags) {
  Dice dice(seed);
  auto sizes = randomSizes(dice.in("sizes"), flags);
  if (!sizes)
    return sizes.takeError();
  bool cross = dice.chance("cross", 25);
  bool causal = cross || dice.chance("causal", 60);

  ModelSpec spec;
  spec.family = "random";
  spec.width = sizes->width;
  spec.positions = sizes->positions;
  spec.stack = randomStack(dice.in("stack"), *sizes, "model", causal, cross);
  if (dice.chance("ids", 80))
    spec.stack.embedding =
        randomEmbedding(dice.in("embedding"), *sizes, "model.embedding");
  if (cross && spec.stack.embedding && dice.chance("encoder", 40)) {
    spec.stack.embedding->idsName = "decoder_input_ids";
    RandomSizes encoderSizes = *sizes;
    encoderSizes.layers = 1;
    spec.encoder = randomStack(dice.in("encoder"), encoderSizes, "encoder",
                               /*causal=*/false, /*cross=*/false);
    spec.encoder->embedding = randomEmbedding(dice.in("encoder embedding"),
                                              *sizes, "encoder.embedding");
  }
  if (dice.chance("head", 75))
    spec.head =
        randomHead(dice.in("head"), *sizes,
                   spec.stack.embedding ? &*spec.stack.embedding : nullptr);
  return spec;
}

} // namespace parablock::generate
