//===- GradientLaunches.h - launches of gradients on GPUs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H
#define PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// Returns whether launches of an op's own compute it, and no kernel of level
/// 3: a gradient that sums over rows, or that of attention.
bool isGradientLaunch(mlir::Operation *op);

/// Returns the number of launches of such an op.
int64_t countGradientLaunches(mlir::Operation *op);

/// Returns whether gradients by keys and values of attention are two launches:
/// the sums of a wide head for both exceed the registers of a tile.
bool hasKeysApart(block::SdpaGradOp op);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_GRADIENTLAUNCHES_H
