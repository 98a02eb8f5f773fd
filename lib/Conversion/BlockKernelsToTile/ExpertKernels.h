//===- ExpertKernels.h - launches of block.experts --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTKERNELS_H
#define PARABLOCK_LIB_CONVERSION_EXPERTKERNELS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// The kernels of one `block.experts`, in the order of their launches.
struct ExpertKernels {
  /// Numbers of slots of each expert in each chunk of slots; null for one
  /// chunk.
  tile::KernelOp count;
  /// Slots in the order of experts, and the tiles of products.
  tile::KernelOp place;
  /// Rows of the input in that order.
  tile::KernelOp gather;
  tile::KernelOp up, down;
  /// Sums of the slots of each row.
  tile::KernelOp sum;
};

/// Returns the norm that `op` computes while it gathers rows; null if it
/// gathers rows as they are.
block::KernelOp findGatheredNorm(block::ExpertsOp op);

/// Returns whether one set of kernels serves both.
bool haveSameExpertKernels(block::ExpertsOp first, block::ExpertsOp second);

/// Builds the kernels of `op` with names that begin with `name`.
ExpertKernels buildExpertKernels(mlir::OpBuilder &atModule, block::ExpertsOp op,
                                 llvm::StringRef name, llvm::StringRef chip);

/// Creates a launch; open sizes of results are those of the first operand.
using CreateLaunch = llvm::function_ref<tile::LaunchOp(
    mlir::TypeRange results, tile::KernelOp kernel, mlir::ValueRange inputs)>;

/// Replaces `op`, and the norm that it gathers, by launches of its kernels.
void replaceByLaunches(block::ExpertsOp op, const ExpertKernels &kernels,
                       CreateLaunch launch);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTKERNELS_H
