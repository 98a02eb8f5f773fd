//===- RandomModel.h - random models for tests ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_GEN_RANDOMMODEL_H
#define PARABLOCK_TOOLS_BLOCK_GEN_RANDOMMODEL_H

#include "parablock/Frontends/Generate/Families.h"

namespace parablock::generate {

/// Returns a random legal combination of the forms' attributes, a function of
/// seed and flags.
llvm::Expected<ModelSpec> makeRandomModel(uint64_t seed,
                                          const SizeFlags &flags);

} // namespace parablock::generate

#endif // PARABLOCK_TOOLS_BLOCK_GEN_RANDOMMODEL_H
