//===- DissolveKernels.h - level 3 to level 2 -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H
#define PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Undoes `block-form-kernels` in `root`: the steps of every kernel stand where
/// it stood, partial statistics are statistics again, and the logs of the
/// layers know nothing of kernels. Returns whether there were any.
bool dissolveKernels(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H
