//===- AccumulatorLayout.h - elements of threads ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A thread holds the rows `origin.row + rowOffsets[i]` and, of each, the
// `width` columns starting at `origin.column + columnOffsets[j]`: its share is
// a grid with its own origin.
//
// wgmma: warp w has rows 16w to 16w + 15. mma and fma: warps divide the tile in
// a grid of `warpRows` times `warpColumns`, or by rows alone. Within a warp,
// tensor cores assign to lane l the rows l / 4 and l / 4 + 8 of sixteen, and
// two columns of eight starting at 2 (l mod 4). With fma, lanes form a grid of
// 4 x 8, and a thread's rows and columns are spread over the tile, so that
// neighbouring lanes read neighbouring rows of a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_ACCUMULATORLAYOUT_H
#define PARABLOCK_CONVERSION_TILETONVVM_ACCUMULATORLAYOUT_H

#include "DeviceBuilder.h"

namespace parablock::tile {

struct AccumulatorLayout {
  /// None where the warps of the schedule cannot share the tile evenly.
  static std::optional<AccumulatorLayout> get(AccumulatorType type,
                                              ScheduleAttr schedule);

  /// Returns the layout of the rows alone, which warps can share.
  static AccumulatorLayout getOfRows(RowValuesType type, ScheduleAttr schedule);

  /// Returns the number of neighbouring lanes of a warp that share a row.
  int64_t getLanesPerRow() const { return unit == MultiplyUnit::Fma ? 8 : 4; }

  MultiplyUnit unit;
  int64_t warpRows, warpColumns;
  /// Sizes of the tile of one warp.
  int64_t rowsPerWarp, columnsPerWarp;
  llvm::SmallVector<int64_t> rowOffsets, columnOffsets;
  int64_t width;

  struct Origin {
    mlir::Value row, column;
  };
  /// Finds it for this warp, or for the thread's.
  Origin createOrigin(DeviceBuilder &builder, mlir::Value warp = {}) const;

  /// The largest column of an origin.
  int64_t getLastOriginColumn() const;

  /// The number of an element in the thread's struct.
  int64_t getElement(int64_t row, int64_t column, int64_t part) const;
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_ACCUMULATORLAYOUT_H
