//===- GemmSplit.h - CTAs that share the depth of a tile --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GEMMSPLIT_H
#define PARABLOCK_LIB_CONVERSION_GEMMSPLIT_H

#include "TileCode.h"

namespace parablock {

/// The sums of CTAs that share a tile of `rows` by `columns`.
struct SplitSums {
  /// The workspaces: sums of all splits of all tiles, and counters of tiles.
  mlir::Value sums, counters;
  int64_t splits, rows, columns;

  /// Stores the sums that split `split` of tile `tile` has staged. Then the
  /// last CTA of the tile stages the sum of all splits, in order, and runs
  /// `finish`. Of the tile's `extent` rows, those below `count` are there.
  void join(TileCode code, mlir::Value tile, mlir::Value split,
            mlir::Value count, int64_t extent, mlir::Value staged,
            llvm::function_ref<void(TileCode)> finish) const;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GEMMSPLIT_H
