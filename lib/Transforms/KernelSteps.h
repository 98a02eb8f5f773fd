//===- KernelSteps.h - kinds of steps in kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H
#define PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// The kind of kernel that `op` is the root of, if of any.
std::optional<KernelKind> getRootKind(mlir::Operation *op);

/// Repeated in every kernel that reads its result rather than stored.
bool isPrologue(mlir::Operation *op);

/// Returns whether a projection's tiles can pass through the step before they
/// are written.
bool isTileEpilogue(mlir::Operation *op);

/// Steps that belong into some kernel.
bool isStep(mlir::Operation *op);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_KERNELSTEPS_H
