//===- FormPartialStats.h - row statistics from their producers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H
#define PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Replaces each `block.norm_stats` over whole rows by `block.partial_stats` at
/// the producer of the row, possibly in an earlier layer, and
/// `block.merge_stats` at the reader. Rows that are arguments keep their
/// `block.norm_stats`. `tile` is the number of columns per partial; 0 for whole
/// rows.
void formPartialStats(mlir::Operation *function, int64_t tile);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H
