//===- MovesKernel.h - kernels that move rows -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H
#define PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H

#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Returns whether `op` is itself a launch: one that moves rows, new ones into
/// a cache or rows by index, or chooses tokens.
bool isMove(mlir::Operation *op);

/// True of moves that do the same to tensors of the same types.
bool isSameMove(mlir::Operation *first, mlir::Operation *second);

/// The kernel of such an op.
mlir::FailureOr<tile::KernelOp> buildMoveKernel(mlir::OpBuilder &atModule,
                                                mlir::Operation *op,
                                                llvm::StringRef name,
                                                llvm::StringRef chip);

/// Returns the operand of a move that has dimension `dim` of its result, and
/// its dimension there.
std::pair<int64_t, int64_t> findSizeOfMove(mlir::Operation *op, int64_t dim);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_MOVESKERNEL_H
