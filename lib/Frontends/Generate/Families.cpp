//===- Families.cpp - lists families and resolves sizes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyTable.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::generate {

llvm::ArrayRef<FamilyLine> getFamilyLines() {
  static constexpr FamilyLine lines[] = {
      {"gpt2",
       "GPT-2: learned positions, fused q, k, v, matrices stored `[in, out]`"},
      {"nanogpt", "nanoGPT: GPT-2 with erf GELU and matrices `[out, in]`"},
      {"andrea", "GPT-2's block with separate projections, attention without "
                 "biases, and a vocabulary of 8449"},
      {"opt", "OPT: ReLU, separate projections with biases, positions that "
              "begin at 2"},
      {"bert", "BERT: post-norm, types, a norm behind the embedding"},
      {"roberta",
       "RoBERTa: BERT with positions behind the padding's and one type"},
      {"encoder-pre-ln",
       "fairseq's pre-norm encoder: learned positions, erf GELU, a final norm"},
      {"encoder-post-ln", "the encoder of \"Attention is all you need\": "
                          "post-norm, sinusoids, ReLU"},
      {"transformer-decoder", "the decoder of the same: self-attention, "
                              "cross-attention, MLP, post-norm"},
      {"bart-decoder", "BART's decoder: post-norm with cross-attention, "
                       "learned positions, GELU"},
      {"t5-encoder", "T5's encoder: RMS norms, bucketed relative positions, "
                     "scores without scale"},
      {"t5-decoder", "T5's decoder: the same with cross-attention"},
      {"vit", "ViT-B/16 behind its patches: 197 tokens of width 768, no head"},
      {"llama", "Llama: RMS norms, rotation, SwiGLU"},
      {"mistral", "Mistral 7B: Llama with grouped keys and a window of 4096"},
      {"qwen2", "Qwen2: Llama with grouped keys and biases on q, k, v"},
      {"qwen3", "Qwen3: Llama with grouped keys and norms of single heads"},
      {"phi3", "Phi-3: Llama with fused q, k, v and fused gate and up"},
      {"gemma",
       "Gemma: gains counted from 1, GeGLU, wide heads, scaled embedding"},
      {"gemma2", "Gemma 2: norms around each branch, soft caps, windows in "
                 "every second layer"},
      {"olmo2",
       "OLMo 2: norms behind each branch alone, norms of whole q and k"},
      {"granite",
       "Granite: Llama with scales on embedding, branches, scores and logits"},
      {"deepnorm",
       "DeepNet: a post-norm encoder whose skip is scaled by (2 N)^(1/4)"},
      {"layerscale", "CaiT's ViT: a learned gain on each branch"},
      {"peri-ln", "Peri-LN: layer norms before and after each branch"},
      {"bloom", "BLOOM: ALiBi, a norm behind the embedding, q, k, v "
                "interleaved by head"},
      {"mpt", "MPT: ALiBi, no biases at all"},
      {"gptj", "GPT-J: parallel, one norm, rotation of neighbouring pairs"},
      {"mesh-v2", "GPT-J as mesh-transformer-jax v2 stores it: one input and "
                  "one output projection in shards"},
      {"codegen", "CodeGen: GPT-J with q, v, k fused in four shards"},
      {"gpt-neox", "GPT-NeoX: parallel with two norms, partial rotation"},
      {"palm", "PaLM: parallel, one norm, multi-query, SwiGLU, as PaLM-pytorch "
               "names it"},
      {"falcon-7b", "Falcon 7B: parallel, one norm, multi-query, rotation"},
      {"falcon-40b", "Falcon 40B: parallel with two norms, grouped keys"},
      {"falcon-rw", "Falcon RW: serial, ALiBi"},
      {"phi", "Phi-2: parallel, one norm, partial rotation, biases everywhere"},
      {"command-r", "Command R+: parallel, one norm without bias, norms of "
                    "single heads, scaled logits"},
      {"stablelm",
       "StableLM 3B: serial, layer norms, partial rotation, SwiGLU"},
      {"stablelm-parallel",
       "StableLM 2 12B: parallel, one norm, norms of single heads"},
      {"vit-22b", "ViT-22B: parallel, norms of q and k, no biases on q, k, v"},
      {"sas", "SAS: simplified blocks without attention skip, values as they "
              "are, serial"},
      {"sas-p", "SAS-P: the same in parallel"},
      {"v-skipinit", "V-SkipInit: SAS with value and output projections that "
                     "start as identity"},
      {"shaped",
       "Shaped attention: SAS with projections that start as stored ones"},
      {"no-norm", "SAS-P without norms"},
      {"nanogpt-modern", "modded nanoGPT: RMS norms without gains, norms of q "
                         "and k, squared ReLU"},
      {"nanogpt-palm", "the same in parallel, branches scaled by 0.7071"}};
  return lines;
}

static const Family *findFamily(llvm::StringRef name) {
  for (auto getGroup :
       {getGpt2Families, getEncoderFamilies, getCrossFamilies,
        getVisionFamilies, getLlamaFamilies, getNormFamilies, getAlibiFamilies,
        getParallelFamilies, getFalconFamilies, getSharedNormFamilies,
        getSimplifiedFamilies, getNanoFamilies})
    for (const Family &family : getGroup())
      if (family.name == name)
        return &family;
  return nullptr;
}

/// Refuses heads whose total width differs from the stream's, if their values
/// are rows of it.
static llvm::Error checkValues(const Family &family, const Sizes &sizes) {
  int64_t width = sizes.kvHeads * sizes.headDim;
  if (!family.valuesAreRows ||
      (width == sizes.width && sizes.kvHeads == sizes.heads))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected --heads times --head-dim to be --width=" +
      llvm::Twine(sizes.width) + ", and as many --kv-heads: values of '" +
      family.name + "' are rows of the stream, or begin as these; got " +
      llvm::Twine(sizes.heads) + " heads of " + llvm::Twine(sizes.headDim) +
      ", " + llvm::Twine(sizes.kvHeads) + " with values");
}

llvm::Expected<ModelSpec> makeFamily(llvm::StringRef name,
                                     const SizeFlags &flags) {
  const Family *family = findFamily(name);
  if (!family)
    return llvm::createStringError("unknown family '" + name +
                                   "'; --list-families lists those there are");
  auto sizes = resolveSizes(family->base, flags);
  if (!sizes)
    return sizes.takeError();
  if (llvm::Error error = checkValues(*family, *sizes))
    return error;
  ModelSpec spec = family->make(*sizes);
  spec.family = name.str();
  spec.width = sizes->width;
  if (!spec.positions)
    spec.positions = sizes->positions;
  return spec;
}

void describeFamilies(llvm::raw_ostream &os) {
  os << "| family | is | layers | width | heads | head | MLP | vocabulary |\n"
        "|---|---|---|---|---|---|---|---|\n";
  for (const FamilyLine &line : getFamilyLines()) {
    const Sizes &sizes = findFamily(line.name)->base;
    os << "| `" << line.name << "` | " << line.description << " | "
       << sizes.layers << " | " << sizes.width << " | " << sizes.heads;
    if (sizes.kvHeads != sizes.heads)
      os << " (" << sizes.kvHeads << ")";
    os << " | " << sizes.headDim << " | " << sizes.hidden << " | ";
    if (sizes.vocab)
      os << sizes.vocab;
    else
      os << "none";
    os << " |\n";
  }
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns kv_heads of a smaller model: the largest divisor of `heads` that
/// keeps the family's group size, but at least 2 if the family has groups.
static int64_t shrinkKvHeads(const Sizes &base, int64_t heads) {
  int64_t kept = heads * base.kvHeads / base.heads;
  bool hasGroups = base.kvHeads > 1 && base.kvHeads < base.heads;
  int64_t least = hasGroups && heads > 2 ? 2 : 1;
  for (int64_t count = kept; count >= least; --count)
    if (heads % count == 0)
      return count;
  while (heads % least)
    ++least;
  return least;
}

/// The family's share of the head, even and at least 2.
static int64_t shrinkRope(const Sizes &base, int64_t headDim) {
  if (!base.ropeDim)
    return 0;
  int64_t width = base.ropeDim * headDim / base.headDim / 2 * 2;
  return std::max<int64_t>(width, 2);
}

static llvm::Error requireMultiple(llvm::StringRef flag, int64_t value,
                                   llvm::StringRef divisorName,
                                   int64_t divisor) {
  if (value % divisor == 0)
    return llvm::Error::success();
  return llvm::createStringError("expected " + flag + "=" + llvm::Twine(value) +
                                 " to be a multiple of " + divisorName + ", " +
                                 llvm::Twine(divisor));
}

llvm::Expected<Sizes> resolveSizes(const Sizes &base, const SizeFlags &flags) {
  Sizes sizes = base;
  sizes.layers = flags.layers.value_or(base.layers);
  sizes.width = flags.width.value_or(base.width);
  sizes.heads = flags.heads.value_or(base.heads);
  sizes.vocab = flags.vocab.value_or(base.vocab);
  if (base.positions)
    sizes.positions = flags.positions.value_or(base.positions);

  if (flags.headDim) {
    sizes.headDim = *flags.headDim;
  } else if (flags.width || flags.heads) {
    if (llvm::Error error =
            requireMultiple("--width", sizes.width, "the heads", sizes.heads))
      return error;
    sizes.headDim = sizes.width / sizes.heads;
  }
  sizes.kvHeads = shrinkKvHeads(base, sizes.heads);
  if (flags.kvHeads) {
    sizes.kvHeads = *flags.kvHeads;
    if (llvm::Error error = requireMultiple("--heads", sizes.heads,
                                            "--kv-heads", sizes.kvHeads))
      return error;
  }
  if (flags.width)
    sizes.hidden =
        (base.hidden * sizes.width + base.width * 8 - 1) / (base.width * 8) * 8;
  sizes.hidden = flags.hidden.value_or(sizes.hidden);
  if (sizes.headDim != base.headDim)
    sizes.ropeDim = shrinkRope(base, sizes.headDim);
  if (sizes.ropeDim > sizes.headDim)
    return llvm::createStringError(
        "expected heads of at least 2 components to rotate, got " +
        llvm::Twine(sizes.headDim) + " from --width=" +
        llvm::Twine(sizes.width) + " and --heads=" + llvm::Twine(sizes.heads));
  return sizes;
}

} // namespace parablock::generate
