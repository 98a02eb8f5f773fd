//===- Leftovers.h - ops of a model that are no blocks ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What block-raise left as it was: ops of upstream dialects on tensors. CPU and
// GPU go by the same rule of what these are.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_LEFTOVERS_H
#define PARABLOCK_LEFTOVERS_LEFTOVERS_H

#include "mlir/IR/Operation.h"

namespace parablock {

/// Tells whether `op` is one of upstream's on tensors that a kernel can take.
bool isLeftover(mlir::Operation *op);

/// Tells whether every kernel that reads what `op` makes had better make it
/// itself: constants, tensors of one number, sizes and others that are no
/// tensors.
bool isRemade(mlir::Operation *op);

/// Tells whether `value`, or what is remade of it, has a reader for which
/// `counts` holds. It is called with what makes the value that is read, and
/// with the reader that is in no other leftover.
bool isReadBy(
    mlir::Value value,
    llvm::function_ref<bool(mlir::Operation *maker, mlir::Operation *reader)>
        counts);

/// Tells whether each element of what `op` makes is made of the elements at its
/// place, whatever sizes of 1 are repeated.
bool isElementwise(mlir::Operation *op);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_LEFTOVERS_H
