//===- LossProduct.cpp - products of a loss, row by row -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LossProduct.h"

#include "GemmSchedules.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

LossProduct::LossProduct(const Sizes &sizes, Type element,
                         ArrayRef<int64_t> widths, StringRef chip)
    : sizes(sizes), element(element) {
  const Chip &device = getDeviceChip(chip);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  auto areAligned = [&](int64_t alignment) {
    return llvm::all_of(
        widths, [&](int64_t width) { return width * bytes % alignment == 0; });
  };
  bool isWgmma = device.isHopper && bytes < 4 && areAligned(16);
  ProductMachine machine{device, bytes, isWgmma};
  constexpr int64_t many = 8192;
  stepDepth = machine.getStepDepth();
  int64_t steps = std::max<int64_t>(
      llvm::divideCeil(sizes.depth.value_or(many), stepDepth), 1);
  int64_t tiles = 0;
  std::optional<ProductTile> tile = machine.chooseTile(
      /*count=*/1, sizes.rows.value_or(many), sizes.columns, steps, tiles);
  assert(tile && "every chip has a tile");
  tileRows = tile->rows;
  tileColumns = tile->columns;
  parts = tile->parts;
  schedule = createSchedule(element.getContext(), machine, *tile, tiles,
                            /*hasWords=*/areAligned(4));
}

Value LossProduct::multiply(TileCode code, const Operand &left,
                            const Operand &right, Value row, Value column,
                            Value depth) const {
  MLIRContext *context = code.builder.getContext();
  auto getBuffer = [&](const Operand &operand, int64_t size) -> Type {
    return tile::BufferType::get(context,
                                 operand.isDepthFirst ? stepDepth : size,
                                 operand.isDepthFirst ? size : stepDepth,
                                 element, tile::BufferLayout::Swizzled);
  };
  // One step at least, of zeros outside of the tensors: ptxas serialises wgmma
  // where there may be none.
  Value steps =
      sizes.depth
          ? code.index(
                std::max<int64_t>(llvm::divideCeil(*sizes.depth, stepDepth), 1))
          : code.maxIndex(
                code.divIndex(code.addIndex(depth, code.index(stepDepth - 1)),
                              code.index(stepDepth)),
                code.index(1));
  auto copy = [&](TileCode inner, const Operand &operand, Value first,
                  Value step, Value buffer) {
    Value ofRun = left.runs > 1 ? inner.remIndex(step, steps) : step;
    Value inDepth = inner.mulIndex(ofRun, inner.index(stepDepth));
    Value from = operand.isDepthFirst ? inDepth : first;
    if (operand.firstRow)
      from = inner.addIndex(from, operand.firstRow);
    Value column = operand.isDepthFirst ? first : inDepth;
    if (operand.runs > 1)
      column = inner.addIndex(column,
                              inner.mulIndex(inner.divIndex(step, steps),
                                             inner.index(operand.runColumns)));
    tile::CopyOp::create(inner.builder, inner.loc, operand.tensor, from, column,
                         buffer, 0,
                         cast<tile::BufferType>(buffer.getType()).getRows());
  };
  Value all =
      left.runs > 1 ? code.mulIndex(steps, code.index(left.runs)) : steps;
  return code.pipeline(
      all, {getBuffer(left, tileRows), getBuffer(right, tileColumns)},
      code.zero(tile::AccumulatorType::get(context, tileRows, tileColumns)),
      schedule.getStages(),
      [&](TileCode inner, Value step, ValueRange buffers) {
        copy(inner, left, row, step, buffers[0]);
        copy(inner, right, column, step, buffers[1]);
      },
      [&](TileCode inner, Value, ValueRange buffers,
          ValueRange carried) -> SmallVector<Value> {
        return {tile::MmaOp::create(inner.builder, inner.loc, buffers[0],
                                    buffers[1], carried[0], /*less=*/Value(),
                                    left.isDepthFirst, right.isDepthFirst,
                                    /*depth=*/IntegerAttr(),
                                    /*deferred=*/false)};
      })[0];
}

void LossProduct::emitRows(TileCode code, Value sums, Value rows, Row place,
                           Value part, EmitRow emitRow) const {
  auto type = tile::BufferType::get(code.builder.getContext(), tileRows,
                                    tileColumns, code.builder.getF32Type(),
                                    tile::BufferLayout::Padded);
  place.staged = tile::StageOp::create(code.builder, code.loc, type, sums,
                                       /*first=*/0, part, parts);
  Value count =
      code.minIndex(code.subIndex(rows, place.row), code.index(tileRows));
  // Rows that warps divide: no more than there are.
  int64_t extent =
      parts > 1
          ? tileRows
          : std::clamp<int64_t>(sizes.rows.value_or(tileRows), 1, tileRows);
  auto loop =
      tile::RowsOp::create(code.builder, code.loc, count, extent, part, parts);
  Block &body = loop.getBody().emplaceBlock();
  place.local = body.addArgument(code.builder.getIndexType(), code.loc);
  OpBuilder atEnd = OpBuilder::atBlockEnd(&body);
  TileCode inner{atEnd, code.loc};
  place.row = inner.addIndex(place.row, place.local);
  emitRow(inner, place);
  tile::YieldOp::create(atEnd, code.loc);
}

void LossProduct::emit(KernelShell &shell, const Operand &left,
                       const Operand &right, Value rows, Value depth,
                       EmitRow emitRow) const {
  TileCode code{shell.builder, shell.kernel.getLoc()};
  Value rowTiles = code.divIndex(code.addIndex(rows, code.index(tileRows - 1)),
                                 code.index(tileRows));
  code.tiles(
      rowTiles, code.index(countColumnTiles()),
      [&](TileCode inner, Value rowTile, Value tile) {
        Row place;
        place.row = inner.mulIndex(rowTile, inner.index(tileRows));
        place.from = inner.mulIndex(tile, inner.index(tileColumns));
        place.to =
            inner.minIndex(inner.addIndex(place.from, inner.index(tileColumns)),
                           inner.index(sizes.columns));
        place.tile = tile;
        Value sums = multiply(inner, left, right, place.row, place.from, depth);
        if (parts == 1)
          return emitRows(inner, sums, rows, place, /*part=*/{}, emitRow);
        inner.loop(inner.index(0), inner.index(parts),
                   [&](TileCode each, Value part) {
                     emitRows(each, sums, rows, place, part, emitRow);
                   });
      });
}
