//===- ElementsKernel.h - kernels of elements -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTSKERNEL_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTSKERNEL_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Builds the kernel of a `block.kernel "elements"`: ops outside the block
/// dialect.
mlir::FailureOr<tile::KernelOp> buildElementsKernel(mlir::OpBuilder &atModule,
                                                    block::KernelOp kernel,
                                                    llvm::StringRef name,
                                                    llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTSKERNEL_H
