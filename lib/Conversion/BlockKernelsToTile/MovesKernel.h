//===- MovesKernel.h - kernels that move rows -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H
#define PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H

#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// The kernel of a move (KernelCache.h).
mlir::FailureOr<tile::KernelOp> buildMoveKernel(mlir::OpBuilder &atModule,
                                                mlir::Operation *op,
                                                llvm::StringRef name,
                                                llvm::StringRef chip);

/// Returns the operand of a move that has dimension `dim` of its result, and
/// its dimension there.
std::pair<int64_t, int64_t> findSizeOfMove(mlir::Operation *op, int64_t dim);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H
