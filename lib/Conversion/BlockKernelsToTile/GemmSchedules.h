//===- GemmSchedules.h - choice of schedules --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H
#define PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H

#include "parablock/Analysis/GemmPlan.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Columns of what is known of each row that a kernel computes: its statistics,
/// and the bits of the number of the row that it is taken from.
inline constexpr int64_t kMean = 0, kMoment = 1, kTaken = 2, numRowFacts = 3;

/// Bytes that a multiprocessor's cache reads at a time.
inline constexpr int64_t cacheLineBytes = 128;

/// Sizes of the output tile, and of a step along the depth.
struct GemmShape {
  int64_t rows, columns, depth;
};

/// Returns the columns of what is known of each row that a kernel computes, and
/// computed ahead: of few rows also an element for each line of the cache, so
/// that a CTA waits once for what its rows are made of, and not in each step.
int64_t countRowFacts(const GemmPlan &plan, const GemmShape &shape,
                      int64_t splits);

struct GemmChoice {
  GemmShape shape;
  tile::ScheduleAttr schedule;
  /// Columns of each group that a tile covers.
  llvm::SmallVector<int64_t> groupColumns;
  /// Tiles along the columns, of all groups.
  int64_t columnTiles;
  /// CTAs that share the depth of one tile.
  int64_t splits = 1;
  /// Parts of its rows that a warp's epilogue processes in sequence, if shared
  /// memory requires it.
  int64_t parts = 1;
  /// True if the epilogue runs on the sums in registers, and copies out from
  /// there.
  bool staysInRegisters = false;
  /// True if the weight is the left operand of the product, and the tile's rows
  /// are columns of the sums.
  bool weightIsLeft = false;

  /// Returns whether a kernel with the other choice would be the same, up to
  /// the number of CTAs.
  bool isLike(const GemmChoice &other) const {
    return weightIsLeft == other.weightIsLeft &&
           shape.rows == other.shape.rows &&
           shape.columns == other.shape.columns && splits == other.splits &&
           schedule.getStages() == other.schedule.getStages() &&
           schedule.getCluster() == other.schedule.getCluster() &&
           schedule.getJoins() == other.schedule.getJoins();
  }
};

/// The chip and the order of operands that schedules are chosen for.
struct GemmTarget {
  llvm::StringRef chip;
  /// True if few rows are the left operand, as many are. Weights of codes are
  /// the left operand in any case.
  bool rowsAreLeft = false;
  /// True if CTAs that share the depth of a tile are no cluster.
  bool joinsInMemory = false;
};

/// Returns the schedule of a product without clusters by `tile`, of which there
/// are so many. Tensor maps copy the operands of `machine`, or threads, words
/// at a time if rows of all operands are whole words.
tile::ScheduleAttr createSchedule(mlir::MLIRContext *context,
                                  const ProductMachine &machine,
                                  const ProductTile &tile, int64_t tiles,
                                  bool hasWords);

/// Returns whether sums of a product of codes, those of a step and of all
/// steps, leave registers for all else. Scales of groups of columns need more.
bool leavesRegisters(const ProductTile &tile, bool isWgmma, bool hasGroups);

/// Returns the most rows of a tile of codes that does.
int64_t findMostRowsOfCodes(bool isWgmma, bool hasGroups);

/// Returns the schedule for `target` with the lowest cost among those that hold
/// the plan's heads; an error at the root with the numbers if there is none.
/// `rows` is the number of rows, if known, and `room` the most that there may
/// be, if that is another.
mlir::FailureOr<GemmChoice>
chooseGemmSchedule(const GemmPlan &plan, std::optional<int64_t> rows,
                   const GemmTarget &target, std::optional<int64_t> room = {});

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GEMMSCHEDULES_H
