//===- RecipeWork.h - ops that recipes allow --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_RECIPEWORK_H
#define PARABLOCK_LIB_TRANSFORMS_RECIPEWORK_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Returns true for a tensor of static shape that files of tensors hold.
bool isStored(mlir::Type type);

/// Returns true for an op that computes stored tensors from stored tensors,
/// whatever its operands: moves, casts, folds, elementwise arithmetic and
/// constants.
bool isRecipeWork(mlir::Operation *op);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_RECIPEWORK_H
