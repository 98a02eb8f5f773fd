//===- Recipe.h - from a checkpoint to packed weights and back --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_RECIPE_H
#define PARABLOCK_RECIPE_RECIPE_H

#include "parablock/Transforms/Recipe/Evaluate.h"

namespace parablock {
class SafeTensorsFile;
}

namespace parablock::recipe {

/// A tensor of the original checkpoint.
struct SourceTensor {
  std::string name;
  TensorType type;
  /// Its value from packed tensors, bit for bit; null where there is none.
  ExpressionPtr restore;
  /// Why there is none: the operation that cannot be undone, "slice" where only
  /// parts are packed, "unread" where nothing is.
  std::string lost;
};

/// A tensor that the rewritten function takes; its sources are source tensors.
struct PackedTensor {
  std::string name;
  ExpressionPtr value;
};

/// A tensor that no checkpoint has. Expressions read it by its name, which no
/// source has.
struct ConstantTensor {
  std::string name;
  StoredTensor value;
};

/// The safetensors file beside the recipe that holds the constants.
struct ConstantsFile {
  std::string name;
  std::string sha256;
  /// Holds the elements of constants that were read.
  std::shared_ptr<SafeTensorsFile> open;
};

struct Recipe {
  /// The hash of the file that it was read from; empty where there is none.
  std::string sha256;
  /// How many ranks have a recipe each for what this is one of.
  int64_t ranks = 1;
  std::vector<SourceTensor> sources;
  std::vector<PackedTensor> packed;
  std::vector<ConstantTensor> constants;
  ConstantsFile constantsFile;

  /// Null where no constant has that name.
  const StoredTensor *lookupConstant(llvm::StringRef name) const;
};

/// Fills in how each source is restored, or why it is not. Concatenations,
/// transpositions, reshapes, widening conversions and slices that together
/// cover a dimension can be undone; arithmetic, which rounds, cannot.
void deriveRestores(Recipe &recipe);

/// The file's contents; docs/Recipe.md describes them.
llvm::json::Value toJSON(const Recipe &recipe);

/// Reads and checks a file. Errors begin with the path and name the tensor.
llvm::Expected<Recipe> readRecipe(llvm::StringRef path);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_RECIPE_H
