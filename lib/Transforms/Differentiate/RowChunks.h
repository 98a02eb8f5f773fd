//===- RowChunks.h - rows of a feed-forward in pieces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_ROWCHUNKS_H
#define PARABLOCK_LIB_DIFFERENTIATE_ROWCHUNKS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::block {

/// Connected ops of a layer around its activations: products into and out of
/// them, gradients by weights, and steps between. The values between the
/// products are wide. A row of a result depends on that row of the operands
/// alone, or is a sum over rows.
struct RowGroup {
  llvm::SetVector<mlir::Value> wide;
  /// In the order of the layer.
  llvm::SetVector<mlir::Operation *> ops;
  /// The first op that requires all rows together, or null.
  mlir::Operation *obstacle = nullptr;
};

/// Returns the groups of `layer`. A group that the layer returns values of has
/// an obstacle, unless `mayEscape`.
llvm::SmallVector<RowGroup> findRowGroups(LayerOp layer, bool mayEscape);

/// Computes the groups of `layer` for at most `rows` rows at a time: results
/// are joined, and sums over rows are added, in the order of the rows. Records
/// groups that are divided or have obstacles, and experts, unless `isTrial`.
/// Returns the number of groups that are divided.
unsigned divideRows(LayerOp layer, uint64_t rows, bool isTrial);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_ROWCHUNKS_H
