//===- LeftoverRoots.h - which tensors are stored ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H
#define PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace parablock {

/// Tells whether `read` is by an elementwise op, which reads just the element
/// whose place in its results it computes.
bool isOwnElement(mlir::OpOperand &read);

/// The ops of `function` whose results kernels store, in order: others compute
/// what they read of the rest.
llvm::SetVector<mlir::Operation *> findRoots(mlir::func::FuncOp function);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_LEFTOVERROOTS_H
