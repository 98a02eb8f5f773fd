//===- GradientLaunches.h - launches of gradients on GPUs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H
#define PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// Returns whether launches of an op's own compute it, and no kernel of level
/// 3: a gradient that sums over rows, that of attention, or a loss.
bool isGradientLaunch(mlir::Operation *op);

/// Returns the number of launches of such an op.
int64_t countGradientLaunches(mlir::Operation *op);

/// Returns whether gradients by keys and values of attention are two launches:
/// the sums of a wide head for both exceed the registers of a tile.
bool hasKeysApart(block::SdpaGradOp op);

/// Gradients of a loss exist for some columns of the vocabulary at a time.
struct LossChunks {
  /// Columns of a chunk, whole tiles, and the number of chunks.
  int64_t columns, count;
  /// Gradients by logits are sums of so many numbers of the type of the rows:
  /// of two where a result has more digits than these.
  int64_t terms;

  explicit LossChunks(block::CrossEntropyGradOp op);
  /// How many of the terms a result has the digits of.
  int64_t countTerms(mlir::Type result) const {
    return isWider(result) ? terms : 1;
  }

private:
  bool isWider(mlir::Type result) const {
    return mlir::getElementTypeOrSelf(result).getIntOrFloatBitWidth() > bits;
  }

  /// Size of an element of the rows.
  unsigned bits;
};

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H
