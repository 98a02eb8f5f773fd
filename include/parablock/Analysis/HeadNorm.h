//===- HeadNorm.h - recognition of norms of heads ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_HEADNORM_H
#define PARABLOCK_ANALYSIS_HEADNORM_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// Returns whether `norm` normalizes heads of projected queries or keys, so
/// that one tile of the projection holds all its inputs. In a model with a
/// single query or key head such a norm has one group, like a norm of rows; it
/// is then recognized by its width, the head size of the attention that reads
/// it.
bool isHeadNorm(block::NormalizeOp norm);

/// Returns whether `stats` are the statistics of such a norm.
bool isHeadNorm(block::NormStatsOp stats);

/// Returns whether `op` is such a norm or its statistics.
bool isHeadNorm(mlir::Operation *op);

/// Returns whether `value` is a projection or a segment of one, possibly after
/// steps that work on single elements or pairs.
bool isProjected(mlir::Value value);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_HEADNORM_H
