//===- SampleKernel.h - kernel of block.sample ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_SAMPLEKERNEL_H
#define PARABLOCK_LIB_CONVERSION_SAMPLEKERNEL_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Returns the type of the scores that the kernel keeps between its passes, a
/// result of its launch behind those of the op: memory that depends on the
/// number of rows.
mlir::RankedTensorType getScoresType(block::SampleOp op);

/// Creates the kernel: one CTA for each row.
tile::KernelOp buildSampleKernel(mlir::OpBuilder &atModule, block::SampleOp op,
                                 llvm::StringRef name, llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_SAMPLEKERNEL_H
