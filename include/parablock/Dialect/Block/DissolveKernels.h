//===- DissolveKernels.h - level 3 to level 2 -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H
#define PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Undoes `block-form-kernels` in `root`: steps replace their kernel, partial
/// statistics become statistics again, and decisions about kernels are removed
/// from the logs of layers. Returns whether there were any kernels.
bool dissolveKernels(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_DISSOLVEKERNELS_H
