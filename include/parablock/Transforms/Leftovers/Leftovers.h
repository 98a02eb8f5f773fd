//===- Leftovers.h - ops outside the block dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of upstream dialects on tensors that block-raise left unchanged. CPU and
// GPU share this definition.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_LEFTOVERS_H
#define PARABLOCK_LEFTOVERS_LEFTOVERS_H

#include "mlir/IR/Operation.h"

namespace parablock {

/// Returns whether `op` is an upstream op on tensors that a kernel can contain.
bool isLeftover(mlir::Operation *op);

/// Returns whether every kernel that reads the result of `op` should recompute
/// it: constants, tensors of one number, sizes and other values that are not
/// tensors.
bool isRemade(mlir::Operation *op);

/// Returns whether `value`, or a value recomputed from it, has a reader for
/// which `counts` returns true. `counts` receives the op that defines the value
/// read, and the reader outside of other leftovers.
bool isReadBy(
    mlir::Value value,
    llvm::function_ref<bool(mlir::Operation *maker, mlir::Operation *reader)>
        counts);

/// Returns whether each element of the results of `op` depends only on the
/// elements at the same place, up to broadcasts of sizes of 1.
bool isElementwise(mlir::Operation *op);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_LEFTOVERS_H
