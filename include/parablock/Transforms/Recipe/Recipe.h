//===- Recipe.h - recipes of packed weights ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A recipe is a module of upstream ops: @prepack computes packed tensors from a
// checkpoint's tensors, and @restore recovers original tensors from packed ones
// where possible. docs/internals/Recipe.md describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_RECIPE_H
#define PARABLOCK_RECIPE_RECIPE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Files/WeightsForm.h"
#include "parablock/Judges/Evaluator/Stored.h"
#include "parablock/Support/SafeTensors.h"

namespace parablock::recipe {

inline constexpr int64_t schema = 2;

// Attributes of the module.
inline constexpr llvm::StringLiteral kSchemaAttr = "recipe.schema";
inline constexpr llvm::StringLiteral kRanksAttr = "recipe.ranks";
/// The file beside the recipe that holds the constants, and its hash.
inline constexpr llvm::StringLiteral kConstantsAttr = "recipe.constants";
inline constexpr llvm::StringLiteral kSha256Attr = "recipe.constants_sha256";
/// The form of the model that a checkpoint's weights must fit, if they were
/// fitted to layers: a dictionary of pairs, correction and model_hash.
inline constexpr llvm::StringLiteral kWeightsAttr = "recipe.weights";
inline constexpr llvm::StringLiteral kPairsKey = "pairs";
inline constexpr llvm::StringLiteral kCorrectionKey = "correction";
inline constexpr llvm::StringLiteral kModelHashKey = "model_hash";
// Attributes of arguments and results.
inline constexpr llvm::StringLiteral kTensorAttr = "recipe.tensor";
/// The name of an argument's tensor that no checkpoint contains.
inline constexpr llvm::StringLiteral kConstantAttr = "recipe.constant";
/// The reason that an argument of @prepack cannot be restored.
inline constexpr llvm::StringLiteral kLostAttr = "recipe.lost";

inline constexpr llvm::StringLiteral kPrepackName = "prepack";
inline constexpr llvm::StringLiteral kRestoreName = "restore";

/// A recipe that was read.
struct Recipe {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The file that it was read from, and its hash.
  std::string path, sha256;
  /// Number of ranks with a recipe each, if this is one of them.
  int64_t ranks = 1;
  /// The form of the model that weights to be packed must fit.
  files::WeightsForm weights;
  std::unique_ptr<SafeTensorsFile> constants;
  mlir::func::FuncOp prepack, restore;
};

/// Reads and checks a file. Errors begin with the path.
llvm::Expected<Recipe> readRecipe(llvm::StringRef path);

/// Returns the first diagnostic during `action`, with its place in the file;
/// empty if there is none.
std::string listen(const Recipe &recipe, llvm::function_ref<void()> action);

/// Returns the name of an argument or a result, empty if it has none.
llvm::StringRef getArgName(mlir::func::FuncOp function, unsigned index,
                           llvm::StringRef attribute = kTensorAttr);
llvm::StringRef getResultName(mlir::func::FuncOp function, unsigned index);

/// Returns the declaration of a tensor of this type in files; none if files
/// cannot hold it.
std::optional<TensorDeclaration> declare(llvm::StringRef name, mlir::Type type);

/// Returns NAME.safetensors for NAME.mlir.
std::string getConstantsPath(llvm::StringRef recipePath);

/// Hashes the contents of a file.
llvm::Expected<std::string> hashFile(llvm::StringRef path);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_RECIPE_H
