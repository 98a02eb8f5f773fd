//===- KnownNames.h - names of StableHLO ops --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_KNOWNNAMES_H
#define PARABLOCK_LIB_STABLEHLO_KNOWNNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace parablock::hlo {

/// Returns `; did you mean 'stablehlo.add'?` for a misspelt name of `stablehlo`
/// or `chlo`; empty for any other.
std::string suggestName(llvm::StringRef dialect, llvm::StringRef op);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_KNOWNNAMES_H
