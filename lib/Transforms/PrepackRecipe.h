//===- PrepackRecipe.h - @prepack as a recipe -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
#define PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace parablock::block {

/// Writes the work of `prepack`, which may be null, as the recipe `path`, with
/// its constants beside it. Errors are diagnostics.
llvm::LogicalResult writeRecipe(mlir::ModuleOp module,
                                mlir::func::FuncOp prepack,
                                llvm::StringRef path);

/// Adds a function @restore to the recipe's module that recomputes arguments of
/// @prepack from its results where possible; marks other arguments with the
/// reason. Concatenations, transpositions, reshapes, widening casts and slices
/// that together cover a dimension can be undone; arithmetic, which rounds,
/// cannot.
void addRestore(mlir::func::FuncOp prepack);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_PREPACKRECIPE_H
