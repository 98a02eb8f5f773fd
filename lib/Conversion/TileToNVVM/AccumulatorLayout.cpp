//===- AccumulatorLayout.cpp - maps rows and columns to threads -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorLayout.h"

using namespace mlir;
using namespace parablock::tile;

/// Lanes of a warp along the rows and columns with fma.
static constexpr int64_t laneRows = 4, laneColumns = 8;

/// Chooses the grid of warps, with at least that many along the rows, with the
/// fewest reads per product: warps read their rows of the left and of the right
/// operand.
static bool chooseGrid(AccumulatorLayout &layout, int64_t rows, int64_t columns,
                       int64_t warps, int64_t leastWarpRows, int64_t rowUnit,
                       int64_t columnUnit) {
  bool found = false;
  for (int64_t warpRows = leastWarpRows; warpRows <= warps; ++warpRows) {
    int64_t warpColumns = warps / warpRows;
    if (warps % warpRows != 0 || rows % (warpRows * rowUnit) != 0 ||
        columns % (warpColumns * columnUnit) != 0)
      continue;
    int64_t rowsPerWarp = rows / warpRows;
    int64_t columnsPerWarp = columns / warpColumns;
    if (found && rowsPerWarp + columnsPerWarp >=
                     layout.rowsPerWarp + layout.columnsPerWarp)
      continue;
    found = true;
    layout.warpRows = warpRows;
    layout.warpColumns = warpColumns;
    layout.rowsPerWarp = rowsPerWarp;
    layout.columnsPerWarp = columnsPerWarp;
  }
  return found;
}

std::optional<AccumulatorLayout> AccumulatorLayout::get(AccumulatorType type,
                                                        ScheduleAttr schedule) {
  AccumulatorLayout layout;
  layout.unit = schedule.getMultiply();
  int64_t rows = type.getRows(), columns = type.getColumns();
  int64_t warps = schedule.getWarps();
  int64_t rowUnit = 16, columnUnit = 16;
  if (layout.unit == MultiplyUnit::Fma) {
    rowUnit = laneRows;
    columnUnit = laneColumns;
  }

  if (layout.unit == MultiplyUnit::Wgmma) {
    if (rows != 16 * warps || columns % 8 != 0 || columns > 256)
      return std::nullopt;
    layout.warpRows = warps;
    layout.warpColumns = 1;
    layout.rowsPerWarp = 16;
    layout.columnsPerWarp = columns;
  } else if (layout.unit == MultiplyUnit::None ||
             !chooseGrid(layout, rows, columns, warps,
                         schedule.getWholeRows() ? warps : 1, rowUnit,
                         columnUnit)) {
    return std::nullopt;
  }

  if (layout.unit == MultiplyUnit::Fma) {
    layout.width = 1;
    for (int64_t row = 0; row < rows; row += laneRows * layout.warpRows)
      layout.rowOffsets.push_back(row);
    for (int64_t column = 0; column < columns;
         column += laneColumns * layout.warpColumns)
      layout.columnOffsets.push_back(column);
    return layout;
  }
  layout.width = 2;
  for (int64_t row = 0; row < layout.rowsPerWarp; row += 8)
    layout.rowOffsets.push_back(row);
  for (int64_t column = 0; column < layout.columnsPerWarp; column += 8)
    layout.columnOffsets.push_back(column);
  return layout;
}

AccumulatorLayout AccumulatorLayout::getOfRows(RowValuesType type,
                                               ScheduleAttr schedule) {
  return *get(AccumulatorType::get(schedule.getContext(), type.getRows(),
                                   type.getColumns()),
              schedule);
}

AccumulatorLayout::Origin
AccumulatorLayout::createOrigin(DeviceBuilder &builder, Value warp) const {
  Value lane = builder.laneIndex();
  if (!warp)
    warp = builder.warpIndex();
  Value warpRow = builder.remainder(warp, warpRows);
  Value warpColumn = builder.divide(warp, warpRows);
  if (unit == MultiplyUnit::Fma)
    return {builder.add(builder.multiply(warpRow, laneRows),
                        builder.divide(lane, laneColumns)),
            builder.add(builder.multiply(warpColumn, laneColumns),
                        builder.remainder(lane, laneColumns))};
  return {builder.add(builder.multiply(warpRow, rowsPerWarp),
                      builder.divide(lane, 4)),
          builder.add(builder.multiply(warpColumn, columnsPerWarp),
                      builder.multiply(builder.remainder(lane, 4), 2))};
}

int64_t AccumulatorLayout::getLastOriginColumn() const {
  if (unit == MultiplyUnit::Fma)
    return warpColumns * laneColumns - 1;
  return (warpColumns - 1) * columnsPerWarp + 6;
}

int64_t AccumulatorLayout::getElement(int64_t row, int64_t column,
                                      int64_t part) const {
  int64_t columns = columnOffsets.size();
  if (unit == MultiplyUnit::Fma)
    return row * columns + column;
  // Fragments of 16 x 8, four elements each.
  return (row / 2 * columns + column) * 4 + row % 2 * 2 + part;
}
