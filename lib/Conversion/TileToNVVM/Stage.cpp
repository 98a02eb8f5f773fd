//===- Stage.cpp - accumulators to shared memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A thread writes those of its columns that the buffer has. The set of
// columns of a slot is known here up to the thread's origin: slots that are
// inside for every origin are written unconditionally, others under a
// condition. A part of each warp's rows is written by the threads that hold
// rows of it; the buffer's address is then where its first row would be if
// all rows existed.
//
//===----------------------------------------------------------------------===//

#include "AccumulatorLayout.h"
#include "OwnWarp.h"
#include "TilePattern.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
class StagedColumns {
public:
  StagedColumns(DeviceBuilder &builder, const AccumulatorLayout &layout,
                BufferType type, Value buffer, int64_t first, Value accumulator,
                ScheduleAttr schedule)
      : builder(builder), layout(layout), type(type), first(first),
        elements(builder.unpack(accumulator)),
        origin(layout.createOrigin(
            builder, createOwnWarpId(builder, builder.getLoc(), schedule))) {
    // The address of the element that would be in column `first`.
    Value bytes = builder.add(builder.multiply(origin.row, type.getRowBytes()),
                              builder.multiply(origin.column, 4));
    base = builder.offset(buffer, bytes);
  }

  void write() {
    writeRows(llvm::to_vector(llvm::seq<int64_t>(layout.rowOffsets.size())));
  }

  /// Writes part `part`, an i32, of `parts` of each warp's rows.
  void writePart(Value part, int64_t parts) {
    int64_t size = layout.rowsPerWarp / parts;
    Value row = builder.remainder(origin.row, layout.rowsPerWarp);
    for (auto [slot, offset] : llvm::enumerate(layout.rowOffsets)) {
      Value owner = builder.divide(builder.add(row, offset), size);
      builder.when(builder.compare(arith::CmpIPredicate::eq, owner, part),
                   [&] { writeRows(static_cast<int64_t>(slot)); });
    }
  }

private:
  /// Writes the rows of these slots.
  void writeRows(ArrayRef<int64_t> rows) {
    bool pairs =
        layout.width == 2 && first % 2 == 0 && type.getColumns() % 2 == 0;
    int64_t width = pairs ? 2 : 1;
    for (int64_t slot = 0, e = layout.columnOffsets.size(); slot < e; ++slot)
      for (int64_t part = 0; part < layout.width; part += width)
        writeSlot(rows, slot, part, width);
  }

  void writeSlot(ArrayRef<int64_t> rows, int64_t slot, int64_t part,
                 int64_t width) {
    // Columns of the buffer, for the origins with the smallest and the largest.
    int64_t lowest = layout.columnOffsets[slot] + part - first;
    int64_t highest = lowest + layout.getLastOriginColumn();
    int64_t limit = type.getColumns() - width;
    if (highest < 0 || lowest > limit)
      return;
    auto write = [&] { writeElements(rows, slot, part, width, lowest); };
    if (lowest >= 0 && highest <= limit)
      return write();
    // Below 0 counts as very large.
    Value column = builder.add(origin.column, lowest);
    builder.when(builder.compare(arith::CmpIPredicate::ule, column,
                                 builder.constant(limit)),
                 write);
  }

  void writeElements(ArrayRef<int64_t> rows, int64_t slot, int64_t part,
                     int64_t width, int64_t column) {
    for (int64_t row : rows) {
      Value address = builder.offset(
          base, layout.rowOffsets[row] * type.getRowBytes() + 4 * column);
      Value value = elements[layout.getElement(row, slot, part)];
      if (width == 2)
        value =
            createPair(value, elements[layout.getElement(row, slot, part + 1)]);
      builder.store(value, address);
    }
  }

  Value createPair(Value a, Value b) {
    auto two = VectorType::get(2, builder.getF32Type());
    Value pair = LLVM::PoisonOp::create(builder, two);
    Value parts[] = {a, b};
    for (auto [i, value] : llvm::enumerate(parts))
      pair = LLVM::InsertElementOp::create(builder, pair, value,
                                           builder.constant(i));
    return pair;
  }

  DeviceBuilder &builder;
  const AccumulatorLayout &layout;
  BufferType type;
  int64_t first;
  SmallVector<Value> elements;
  AccumulatorLayout::Origin origin;
  Value base;
};

/// Writes each element where its column is a row.
void writeTransposed(DeviceBuilder &builder, const AccumulatorLayout &layout,
                     BufferType type, Value buffer, Value accumulator,
                     ScheduleAttr schedule) {
  SmallVector<Value> elements = builder.unpack(accumulator);
  AccumulatorLayout::Origin origin = layout.createOrigin(
      builder, createOwnWarpId(builder, builder.getLoc(), schedule));
  Value base = builder.offset(
      buffer, builder.add(builder.multiply(origin.column, type.getRowBytes()),
                          builder.multiply(origin.row, 4)));
  for (auto [column, columnOffset] : llvm::enumerate(layout.columnOffsets))
    for (int64_t part = 0; part < layout.width; ++part)
      for (auto [row, rowOffset] : llvm::enumerate(layout.rowOffsets)) {
        int64_t bytes =
            (columnOffset + part) * type.getRowBytes() + rowOffset * 4;
        builder.store(elements[layout.getElement(row, column, part)],
                      builder.offset(base, bytes));
      }
}

struct LowerStage : public TilePattern<StageOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(StageOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BufferType type = op.getBuffer().getType();
    AccumulatorLayout layout = *AccumulatorLayout::get(
        op.getAccumulator().getType(), lowering.schedule);
    DeviceBuilder builder(op.getLoc(), rewriter);
    int64_t offset = *op.getOffset();
    Value buffer = createSharedAddress(builder, op.getLoc(), offset);
    int64_t parts = op.getParts();
    Value part = adaptor.getPart();
    if (part)
      buffer = createPartBase(builder, buffer, type, layout.rowsPerWarp, part,
                              parts);
    // Synchronizes readers of the previous contents, then readers of the new
    // ones.
    bool isWarpOwn =
        layout.unit == MultiplyUnit::Wgmma && !op.getSynchronized();
    createBarrier(builder, isWarpOwn);
    if (op.getTransposed()) {
      writeTransposed(builder, layout, type, buffer, adaptor.getAccumulator(),
                      lowering.schedule);
    } else {
      StagedColumns columns(builder, layout, type, buffer,
                            static_cast<int64_t>(op.getFirst()),
                            adaptor.getAccumulator(), lowering.schedule);
      if (part)
        columns.writePart(part, parts);
      else
        columns.write();
    }
    createBarrier(builder, isWarpOwn);
    rewriter.replaceOp(op, buffer);
    return success();
  }

private:
  /// Returns the address of row 0 of the tile for this warp, which stores only
  /// a part of its own rows, after those of the previous warps.
  static Value createPartBase(DeviceBuilder &builder, Value buffer,
                              BufferType type, int64_t rowsPerWarp, Value part,
                              int64_t parts) {
    int64_t size = rowsPerWarp / parts;
    Value missing =
        builder.add(builder.multiply(builder.warpIndex(), rowsPerWarp - size),
                    builder.multiply(part, size));
    Value bytes = builder.subtract(
        builder.constant(0), builder.multiply(missing, type.getRowBytes()));
    return builder.offset(buffer, bytes);
  }

  /// With wgmma, a warp reads the rows that it writes.
  void createBarrier(DeviceBuilder &builder, bool isWarpOwn) const {
    if (isWarpOwn)
      createWarpBarrier(builder, builder.getLoc());
    else
      createComputeBarrier(builder, builder.getLoc(), lowering);
  }
};
} // namespace

void parablock::tile::addStagePatterns(TilePatterns &patterns) {
  patterns.add<LowerStage>();
}
