//===- FamilyTable.h - sizes and makers of the families ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_FAMILYTABLE_H
#define PARABLOCK_LIB_GENERATE_FAMILYTABLE_H

#include "parablock/Frontends/Generate/Families.h"

namespace parablock::generate {

/// Sizes of one model: a family's published ones, or those after flags.
struct Sizes {
  int64_t layers, width, heads, kvHeads, headDim, hidden, vocab;
  int64_t positions = 0; // learned ones; 0: the family has none
  int64_t ropeDim = 0;   // rotated components of a head; 0: no rotation
};

struct Family {
  llvm::StringLiteral name;
  Sizes base;
  ModelSpec (*make)(const Sizes &sizes);
  /// True if values are, or begin as, rows of the stream.
  bool valuesAreRows = false;
};

/// Applies the flags to a family's sizes.
llvm::Expected<Sizes> resolveSizes(const Sizes &base, const SizeFlags &flags);

llvm::ArrayRef<Family> getGpt2Families();     // gpt2, nanogpt, andrea, opt
llvm::ArrayRef<Family> getEncoderFamilies();  // bert, roberta, pre-LN, post-LN
llvm::ArrayRef<Family> getCrossFamilies();    // decoders with an encoder, T5
llvm::ArrayRef<Family> getVisionFamilies();   // vit, layerscale, vit-22b
llvm::ArrayRef<Family> getLlamaFamilies();    // llama and its descendants
llvm::ArrayRef<Family> getNormFamilies();     // gemma, olmo2, granite, peri-ln
llvm::ArrayRef<Family> getAlibiFamilies();    // bloom, mpt
llvm::ArrayRef<Family> getParallelFamilies(); // gptj and its kind
llvm::ArrayRef<Family> getFalconFamilies();   // falcon-7b, -40b, -rw
llvm::ArrayRef<Family> getSharedNormFamilies(); // phi, command-r, stablelm
llvm::ArrayRef<Family> getSimplifiedFamilies(); // sas and its kind
llvm::ArrayRef<Family> getNanoFamilies();       // nanogpt-modern, nanogpt-palm

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_FAMILYTABLE_H
