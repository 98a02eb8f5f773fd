//===- Families.h - the named model families --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_FAMILIES_H
#define PARABLOCK_GENERATE_FAMILIES_H

#include "parablock/Frontends/Generate/ModelSpec.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock::generate {

/// The size flags; none if a flag is not given.
struct SizeFlags {
  std::optional<int64_t> layers, width, heads, kvHeads, headDim, hidden, vocab,
      positions;
};

/// The names of all families, in the order of --list-families.
std::vector<llvm::StringRef> getFamilyNames();

/// Writes a table of all families with their published sizes, as Markdown.
void describeFamilies(llvm::raw_ostream &os);

/// Returns the family; without flags, at its published base size. Errors name
/// the wrong flag.
llvm::Expected<ModelSpec> makeFamily(llvm::StringRef name,
                                     const SizeFlags &flags);

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_FAMILIES_H
