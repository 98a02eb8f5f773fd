//===- LeftoverRoots.h - choice of stored tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H
#define PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace parablock {

/// Returns whether `read` is by an elementwise op, which reads only the element
/// at the place of its result.
bool isOwnElement(mlir::OpOperand &read);

/// Returns the ops of `function` whose results kernels store, in order; other
/// values are recomputed from these by their readers.
llvm::SetVector<mlir::Operation *> findRoots(mlir::func::FuncOp function);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H
