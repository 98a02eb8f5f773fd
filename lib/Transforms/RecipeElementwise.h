//===- RecipeElementwise.h - elementwise ops as recipes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_RECIPEELEMENTWISE_H
#define PARABLOCK_LIB_TRANSFORMS_RECIPEELEMENTWISE_H

#include "mlir/IR/Operation.h"
#include "parablock/Transforms/Recipe/Expression.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::block {

/// True for an op that computes each element of one float tensor from elements
/// of others by functions that recipes know: in `arith`, `math` and `tosa`, and
/// structured ops whose bodies hold such.
bool isRecipeElementwise(mlir::Operation *op);

/// True for a number that bodies of structured ops read.
bool isScalarConstant(mlir::Operation *op);

/// Gives what the op makes of its operands, whose values `lookup` gives.
llvm::Expected<recipe::ExpressionPtr> translateElementwise(
    mlir::Operation *op,
    llvm::function_ref<recipe::ExpressionPtr(mlir::Value)> lookup);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_RECIPEELEMENTWISE_H
