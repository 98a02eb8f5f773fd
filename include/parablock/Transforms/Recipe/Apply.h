//===- Apply.h - recipes on files -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_APPLY_H
#define PARABLOCK_RECIPE_APPLY_H

#include "parablock/Transforms/Recipe/Recipe.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::recipe {

// Both read one safetensors file and write another, tensor by tensor: in memory
// are at most one written tensor and what it is made of. Metadata is kept.
// `remarks` hears of tensors that the recipe does not know. Errors begin with
// the path and leave no output file.

/// Writes the packed tensors. Sources of another float type are rounded to the
/// recipe's first, with a remark.
llvm::Error applyRecipe(const Recipe &recipe, llvm::StringRef inputPath,
                        llvm::StringRef outputPath, llvm::raw_ostream &remarks);

/// Writes the original tensors from the packed ones, bit for bit. Where some
/// cannot be restored it is an error that names them, or with `allowPartial` a
/// remark.
llvm::Error undoRecipe(const Recipe &recipe, llvm::StringRef inputPath,
                       llvm::StringRef outputPath, bool allowPartial,
                       llvm::raw_ostream &remarks);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_APPLY_H
