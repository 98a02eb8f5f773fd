//===- Apply.h - recipes on files -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_APPLY_H
#define PARABLOCK_RECIPE_APPLY_H

#include "parablock/Transforms/Recipe/Recipe.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::recipe {

// Both functions read one safetensors file and write another, tensor by tensor:
// memory holds at most one written tensor and its sources. Metadata is kept.
// Tensors unknown to the recipe are reported to `remarks`. Errors begin with
// the path and leave no output file.

/// Writes the packed tensors. Sources of another float type are rounded to the
/// recipe's first, with a remark.
llvm::Error applyRecipe(const Recipe &recipe, llvm::StringRef inputPath,
                        llvm::StringRef outputPath, llvm::raw_ostream &remarks);

/// Writes the original tensors from the packed ones, bit for bit. If some
/// cannot be restored, fails with an error that names them, or emits a remark
/// with `allowPartial`.
llvm::Error undoRecipe(const Recipe &recipe, llvm::StringRef inputPath,
                       llvm::StringRef outputPath, bool allowPartial,
                       llvm::raw_ostream &remarks);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_APPLY_H
