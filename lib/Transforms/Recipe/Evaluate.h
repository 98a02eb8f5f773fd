//===- Evaluate.h - evaluates results of recipes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RECIPE_EVALUATE_H
#define PARABLOCK_LIB_RECIPE_EVALUATE_H

#include "parablock/Transforms/Recipe/Recipe.h"

namespace parablock::recipe {

using Visit = llvm::function_ref<void(mlir::BlockArgument)>;

/// Calls `visit` with each argument of the function that `values` depend on.
void forEachRead(mlir::ValueRange values, Visit visit);

/// Returns the arguments that have names among those that a result depends on.
llvm::SmallVector<mlir::BlockArgument> findOriginals(const Recipe &recipe,
                                                     unsigned result);

/// Returns the tensor of an argument without a name, which no checkpoint has.
const SafeTensorsEntry *findConstant(const Recipe &recipe,
                                     mlir::func::FuncOp function,
                                     mlir::BlockArgument argument);

/// Returns a tensor in memory, rounded to the element type of `wanted`.
evaluator::StoredTensor loadAs(mlir::Type wanted, ElementType type,
                               llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<uint8_t> bytes);

using Append = llvm::function_ref<llvm::Error(llvm::ArrayRef<uint8_t>)>;

/// Evaluates a value of the recipe and passes its bytes on in order.
llvm::Error evaluate(const Recipe &recipe, mlir::Value value,
                     evaluator::StoredLookup lookup, Append append);

/// Counts NaN elements.
uint64_t countNaNs(ElementType type, llvm::ArrayRef<uint8_t> bytes);

} // namespace parablock::recipe

#endif // PARABLOCK_LIB_RECIPE_EVALUATE_H
