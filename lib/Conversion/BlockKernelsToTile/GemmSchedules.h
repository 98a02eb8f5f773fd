//===- GemmSchedules.h - which schedule a product gets ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H
#define PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H

#include "parablock/Analysis/GemmPlan.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Sizes of the output tile, and of a step along the depth.
struct GemmShape {
  int64_t rows, columns, depth;
};

struct GemmChoice {
  GemmShape shape;
  tile::ScheduleAttr schedule;
  /// Columns of each group that a tile covers.
  llvm::SmallVector<int64_t> groupColumns;
  /// Tiles along the columns, of all groups.
  int64_t columnTiles;
  /// CTAs that share the depth of one tile.
  int64_t splits = 1;
  /// Parts of its rows that a warp's epilogue takes one after the other, where
  /// there is no room for more.
  int64_t parts = 1;
  /// True where what follows the product is done where its sums are, and copied
  /// out from there.
  bool staysInRegisters = false;

  /// Tells whether a kernel by the other choice would do the same, in another
  /// number of CTAs at most.
  bool isLike(const GemmChoice &other) const {
    return shape.rows == other.shape.rows &&
           shape.columns == other.shape.columns && splits == other.splits &&
           schedule.getStages() == other.schedule.getStages() &&
           schedule.getCluster() == other.schedule.getCluster();
  }
};

/// The schedule for `chip` that costs the least of those that hold the plan's
/// heads; an error at the root with the numbers where there is none. `rows` is
/// the number of rows where it is known.
mlir::FailureOr<GemmChoice> chooseGemmSchedule(const GemmPlan &plan,
                                               std::optional<int64_t> rows,
                                               llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H
