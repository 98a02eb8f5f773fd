//===- PrepackRecipe.h - @prepack as a recipe -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
#define PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace parablock::block {

/// Writes what `prepack`, which may be null, does as the recipe `path`, with
/// its constants beside it. Errors are diagnostics.
llvm::LogicalResult writeRecipe(mlir::ModuleOp module,
                                mlir::func::FuncOp prepack,
                                llvm::StringRef path);

/// Adds to the module of the recipe's @prepack what makes its arguments of its
/// results where that is possible, as @restore, and says of the other arguments
/// why it is not. Concatenations, transpositions, reshapes, widening casts and
/// slices that together cover a dimension can be undone; arithmetic, which
/// rounds, cannot.
void addRestore(mlir::func::FuncOp prepack);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
