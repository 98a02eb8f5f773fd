//===- FormPartialStats.h - row statistics from their producers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H
#define PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Replaces each `block.norm_stats` over whole rows by `block.partial_stats` at
/// the producer of the row, possibly in an earlier layer, and
/// `block.merge_stats` at the reader. Rows that are arguments keep their
/// `block.norm_stats`. `tile` is the number of columns per partial; 0 for whole
/// rows. Statistics of rows that one of `followed` takes are taken with them.
void formPartialStats(mlir::Operation *function, int64_t tile,
                      const llvm::DenseSet<mlir::Operation *> &followed);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_FORMPARTIALSTATS_H
