//===- Constants.h - tensors that recipes bring along -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_CONSTANTS_H
#define PARABLOCK_RECIPE_CONSTANTS_H

#include "parablock/Transforms/Recipe/Recipe.h"

namespace parablock::recipe {

/// Computes what is packed of constants alone, which become constants of that
/// name, and drops those that nothing reads.
llvm::Error computeConstants(Recipe &recipe);

/// NAME.safetensors beside NAME.json.
std::string getConstantsPath(llvm::StringRef recipePath);

/// Writes the constants beside the recipe, which is told their file; nothing
/// where there are none.
llvm::Error writeConstants(Recipe &recipe, llvm::StringRef recipePath);

/// Finds the elements of the constants, whose names and types are known, in the
/// file beside the recipe.
llvm::Error readConstants(Recipe &recipe, llvm::StringRef recipePath);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_CONSTANTS_H
