//===- KernelSteps.h - what steps are to kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H
#define PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Work on whole rows: kernels of this kind take any step that is no root.
inline constexpr llvm::StringLiteral kRowsKind = "rows";

/// The kind of kernel that `op` is the root of, or an empty string.
llvm::StringRef getRootKind(mlir::Operation *op);

/// Repeated in every kernel that reads its result rather than stored.
bool isPrologue(mlir::Operation *op);

/// Steps that a projection's tiles can be put through before they are written.
bool isTileEpilogue(mlir::Operation *op);

/// Steps that belong into some kernel.
bool isStep(mlir::Operation *op);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H
