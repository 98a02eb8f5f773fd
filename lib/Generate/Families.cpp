//===- Families.cpp - list and sizes of the families ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyTable.h"

#include "llvm/ADT/Twine.h"

namespace parablock::generate {

llvm::ArrayRef<llvm::StringRef> getFamilyNames() {
  static constexpr llvm::StringRef names[] = {"gpt2",
                                              "nanogpt",
                                              "andrea",
                                              "opt",
                                              "bert",
                                              "roberta",
                                              "encoder-pre-ln",
                                              "encoder-post-ln",
                                              "transformer-decoder",
                                              "bart-decoder",
                                              "t5-encoder",
                                              "t5-decoder",
                                              "vit",
                                              "llama",
                                              "mistral",
                                              "qwen2",
                                              "qwen3",
                                              "phi3",
                                              "gemma",
                                              "gemma2",
                                              "olmo2",
                                              "granite",
                                              "deepnorm",
                                              "layerscale",
                                              "peri-ln",
                                              "bloom",
                                              "mpt",
                                              "gptj",
                                              "mesh-v2",
                                              "codegen",
                                              "gpt-neox",
                                              "palm",
                                              "falcon-7b",
                                              "falcon-40b",
                                              "falcon-rw",
                                              "phi",
                                              "command-r",
                                              "stablelm",
                                              "stablelm-parallel",
                                              "vit-22b",
                                              "sas",
                                              "sas-p",
                                              "v-skipinit",
                                              "shaped",
                                              "no-norm",
                                              "nanogpt-modern",
                                              "nanogpt-palm"};
  return names;
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

llvm::Expected<ModelSpec> makeFamily(llvm::StringRef name,
                                     const SizeFlags &flags) {
  const Family *family = findFamily(name);
  if (!family)
    return llvm::createStringError("unknown family '" + name +
                                   "'; --list-families lists those there are");
  auto sizes = resolveSizes(family->base, flags);
  if (!sizes)
    return sizes.takeError();
  ModelSpec spec = family->make(*sizes);
  spec.family = name.str();
  spec.width = sizes->width;
  if (!spec.positions)
    spec.positions = sizes->positions;
  return spec;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// kv_heads of a smaller model: the largest divisor of `heads` that keeps the
/// family's group size, but at least 2 where the family has groups.
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
