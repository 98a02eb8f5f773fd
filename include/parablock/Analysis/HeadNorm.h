//===- HeadNorm.h - norms of heads, as opposed to rows ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_HEADNORM_H
#define PARABLOCK_ANALYSIS_HEADNORM_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// Tells whether `norm` is of the heads of projected queries or keys, so that a
/// tile of the projection holds all that it needs. Where a model has a single
/// query or key head, its norm has one group, like a norm of rows; it is told
/// apart by its width, that of one head of the attention that it runs into.
bool isHeadNorm(block::NormalizeOp norm);

/// The same of the statistics of such a norm.
bool isHeadNorm(block::NormStatsOp stats);

/// Tells whether `op` is either.
bool isHeadNorm(mlir::Operation *op);

/// Tells whether `value` is a projection, or a segment of one, that only steps
/// on single elements or pairs of them have worked on.
bool isProjected(mlir::Value value);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_HEADNORM_H
