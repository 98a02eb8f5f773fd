//===- FamilyTable.h - families and their sizes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_FAMILYTABLE_H
#define PARABLOCK_LIB_GENERATE_FAMILYTABLE_H

#include "parablock/Frontends/Generate/Families.h"
#include "llvm/Support/JSON.h"

namespace parablock::generate {

/// Sizes of one model: a family's published ones, or those after flags.
struct Sizes {
  int64_t layers, width, heads, kvHeads, headDim, hidden, vocab;
  int64_t positions = 0; // learned ones; 0: the family has none
  int64_t ropeDim = 0;   // rotated components of a head; 0: no rotation
};

struct Family {
  std::string name, description;
  Sizes base;
  /// True if values are, or begin as, rows of the stream.
  bool valuesAreRows = false;
  /// The fields of families/*.json.
  llvm::json::Value model = llvm::json::Object();

  ModelSpec make(const Sizes &sizes) const;
};

/// Applies the flags to a family's sizes.
llvm::Expected<Sizes> resolveSizes(const Sizes &base, const SizeFlags &flags);

/// All families, in the order of --list-families.
llvm::ArrayRef<Family> getFamilies();

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_FAMILYTABLE_H
