//===- SeparateAppends.h - appends apart from kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_SEPARATEAPPENDS_H
#define PARABLOCK_DIALECT_BLOCK_SEPARATEAPPENDS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace parablock::block {

/// Moves every `block.cache_append` of a kernel in `root` behind the kernel.
void separateAppends(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_SEPARATEAPPENDS_H
