//===- AttentionKernel.h - kernels of attention -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONKERNEL_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONKERNEL_H

#include "FewRows.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// The kernel of a `block.kernel "sdpa"`.
mlir::FailureOr<tile::KernelOp> buildAttentionKernel(mlir::OpBuilder &atModule,
                                                     block::KernelOp kernel,
                                                     llvm::StringRef name,
                                                     llvm::StringRef chip);

/// Builds the variant for few queries of a cache, or of a known number of keys,
/// if the number of queries is dynamic.
mlir::FailureOr<FewRowsKernel> buildFewQueriesKernel(mlir::OpBuilder &atModule,
                                                     block::KernelOp kernel,
                                                     llvm::StringRef name,
                                                     llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONKERNEL_H
