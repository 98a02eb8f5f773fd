//===- PrepackRecipe.h - @prepack as a recipe -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
#define PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Transforms/Recipe/Recipe.h"

namespace parablock::block {

/// The recipe's type for a tensor of static shape; none where files do not hold
/// such a tensor.
std::optional<recipe::TensorType> getTensorType(mlir::Type type);

/// True for ops on weights that recipes have an operation for, whatever their
/// operands come from.
bool hasRecipeOperation(mlir::Operation *op);

/// Gives what `prepack` does, with a diagnostic where a recipe cannot say it.
mlir::FailureOr<recipe::Recipe> makeRecipe(mlir::func::FuncOp prepack);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
