//===- AttentionTile.cpp - loads queries, bounds and gains of a tile ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionTile.h"

#include "parablock/Dialect/Block/DropoutCode.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

AttentionOperands::AttentionOperands(const AttentionPlan &plan,
                                     KernelShell &shell, TileCode code)
    : plan(plan), op(plan.op), shell(shell), zero(code.index(0)),
      queryRows(code.dim(get(op.getQuery()), 1)),
      keyRows(code.dim(get(op.getKey()), 1)) {
  if (op.getPastKey())
    pastRows = code.dim(get(op.getPastKey()), 1);
  if (std::optional<CachePages> pages = getPages(op.getKey()))
    keyRows = pages->createCapacity(code);
}

AttentionTile::AttentionTile(TileCode code, const AttentionOperands &operands,
                             Value batch, Value firstRow, Value usedRows,
                             Value columnTile)
    : AttentionOperands(operands), batch(batch), firstRow(firstRow),
      usedRows(usedRows) {
  Value valueTiles = code.index(plan.getValueTiles());
  firstHead = code.mulIndex(code.divIndex(columnTile, valueTiles),
                            code.index(plan.packed));
  firstColumn = code.mulIndex(code.remIndex(columnTile, valueTiles),
                              code.index(plan.valueColumns));
  keyHead = code.divIndex(firstHead, code.index(plan.heads / plan.keyHeads));
  past = pastRows;
  if (Value lengths = get(op.getPastLengths()))
    past = code.maxIndex(code.toIndex(code.load(lengths, zero, batch)), zero);
}

Value AttentionTile::createTime(TileCode code, Value row) const {
  Value all = code.addIndex(firstRow, row);
  return plan.packed == 1 ? all : code.divIndex(all, code.index(plan.packed));
}

Value AttentionTile::createHead(TileCode code, Value row) const {
  if (plan.packed == 1)
    return firstHead;
  return code.addIndex(firstHead, code.remIndex(code.addIndex(firstRow, row),
                                                code.index(plan.packed)));
}

Value AttentionTile::createPosition(TileCode code, Value row) const {
  Value time = createTime(code, row);
  return past ? code.addIndex(past, time) : time;
}

Value AttentionTile::createValueRow(TileCode code, Value row) const {
  Value own = op.getPastLengths()
                  ? code.remIndex(createPosition(code, row), keyRows)
                  : createTime(code, row);
  if (std::optional<CachePages> pages = getPages(op.getValue()))
    return pages->findRow(code, batch, own);
  return code.addIndex(code.mulIndex(batch, keyRows), own);
}

Value AttentionTile::loadGain(TileCode code, Value gain, Value row) const {
  bool isOne = cast<RankedTensorType>(gain.getType()).getShape().back() == 1;
  return code.load(get(gain), zero, isOne ? zero : createHead(code, row));
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

AttentionSequences::AttentionSequences(TileCode code, const AttentionTile &tile,
                                       bool findsRows)
    : tile(tile), bounds(tile.get(tile.op.getCuSeqlens())), firstKey(tile.zero),
      validKeys(tile.op.getPastLengths() ? tile.queryRows : tile.keyRows) {
  if (Value lengths = tile.get(tile.op.getLengths()))
    validKeys = code.toIndex(code.load(lengths, tile.zero, tile.batch));
  if (bounds)
    validKeys = loadBound(code, createLastBound(code));
  if (tile.past)
    validKeys = code.addIndex(tile.past, validKeys);
  // Padding may go on behind all keys.
  if (Value starts = tile.get(tile.op.getStarts())) {
    Value start = code.toIndex(code.load(starts, tile.zero, tile.batch));
    firstKey = code.minIndex(code.maxIndex(start, tile.zero), validKeys);
  }
  if (!findsRows)
    return;
  first = findQuery(code, tile.zero);
  last = findQuery(code, code.subIndex(tile.usedRows, code.index(1)));
  if (bounds)
    findRowValues(code);
}

/// Returns how many of the bounds are at most `time`, by bisection.
Value AttentionSequences::countBounds(TileCode code, Value time) const {
  Value size = code.dim(bounds, 0);
  auto type = cast<MemRefType>(bounds.getType());
  constexpr int64_t mostBits = 31;
  int64_t bits =
      type.isDynamicDim(0) ? mostBits : llvm::Log2_64(type.getDimSize(0)) + 1;
  Value highest = code.index(int64_t(1) << (bits - 1));
  return code.accumulate(
      tile.zero, code.index(bits), tile.zero,
      [&](TileCode inner, Value step, ValueRange count) -> SmallVector<Value> {
        Value stride =
            arith::ShRUIOp::create(inner.builder, inner.loc, highest, step);
        Value next = inner.addIndex(count[0], stride);
        auto keep = [&](TileCode) { return count[0]; };
        return {
            inner.ifElse(inner.lessIndex(size, next), keep, [&](TileCode each) {
              Value last = each.subIndex(next, each.index(1));
              Value isBehind = each.lessIndex(time, loadBound(each, last));
              return each.select(isBehind, count[0], next);
            })};
      })[0];
}

Value AttentionSequences::loadBound(TileCode code, Value number) const {
  return code.toIndex(code.load(bounds, tile.zero, number));
}

Value AttentionSequences::createLastBound(TileCode code) const {
  return code.subIndex(code.dim(bounds, 0), code.index(1));
}

/// Returns the indices of the bounds around a row, after `count` earlier ones:
/// equal if the row is in no sequence.
KeyRange AttentionSequences::getBoundsAround(TileCode code, Value count) const {
  return {code.maxIndex(code.subIndex(count, code.index(1)), tile.zero),
          code.minIndex(count, createLastBound(code))};
}

void AttentionSequences::findRowValues(TileCode code) {
  tile::RowValuesType type = tile.plan.getRowValues();
  Value counts =
      code.map(type, {}, [&](TileCode inner, ValueRange indices, ValueRange) {
        return inner.toBits(
            countBounds(inner, tile.createTime(inner, indices[0])));
      });
  auto lookUp = [&](bool isEnd) {
    return code.map(
        type, counts, [&](TileCode inner, ValueRange, ValueRange count) {
          auto [begin, end] = getBoundsAround(inner, inner.fromBits(count[0]));
          return inner.toBits(loadBound(inner, isEnd ? end : begin));
        });
  };
  rowValues = {lookUp(false), lookUp(true)};
}

AttentionQuery AttentionSequences::createQuery(TileCode code, Value row,
                                               KeyRange sequence) const {
  AttentionQuery query;
  query.position = tile.createPosition(code, row);
  query.keys = limitKeys(code, tile.op.getScores(), query.position, sequence);
  if (bounds || tile.op.getStarts())
    query.sequence = sequence.begin;
  return query;
}

AttentionQuery AttentionSequences::createQuery(TileCode code, Value row,
                                               ValueRange sequence) const {
  if (sequence.empty())
    return createQuery(code, row, KeyRange{firstKey, validKeys});
  return createQuery(
      code, row,
      KeyRange{code.fromBits(sequence[0]), code.fromBits(sequence[1])});
}

AttentionQuery AttentionSequences::findQuery(TileCode code, Value row) const {
  return bounds ? createQuery(code, row, findSequence(code, row))
                : createQuery(code, row, ValueRange());
}

KeyRange AttentionSequences::findSequence(TileCode code, Value row) const {
  auto [begin, end] =
      getBoundsAround(code, countBounds(code, tile.createTime(code, row)));
  return {loadBound(code, begin), loadBound(code, end)};
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

AttentionDropout::AttentionDropout(TileCode code, const AttentionTile &tile) {
  Value seed = tile.get(tile.op.getSeed());
  if (!seed)
    return;
  seed = tile::LoadOp::create(code.builder, code.loc, code.builder.getI64Type(),
                              seed, ValueRange{tile.zero});
  auto createHalf = [&](bool isHigh) {
    return code.map(
        tile.plan.getRowValues(), {},
        [&](TileCode inner, ValueRange indices, ValueRange) -> Value {
          // Of all rows of weights, which may be more than 32 bits count.
          auto addTo = [&](Value sum, Value size, Value index) -> Value {
            return arith::AddIOp::create(
                inner.builder, inner.loc,
                arith::MulIOp::create(inner.builder, inner.loc, sum,
                                      inner.toI64(size)),
                inner.toI64(index));
          };
          Value row =
              addTo(inner.toI64(tile.batch), inner.index(tile.plan.heads),
                    tile.createHead(inner, indices[0]));
          row = addTo(row, tile.queryRows, tile.createTime(inner, indices[0]));
          DropoutCode::RowKey key =
              DropoutCode(inner, tile.op.getDropoutAttr()).createKey(seed, row);
          return arith::BitcastOp::create(inner.builder, inner.loc,
                                          inner.builder.getF32Type(),
                                          isHigh ? key.high : key.low);
        });
  };
  rowKeys = {createHalf(false), createHalf(true)};
}

Value AttentionDropout::isKept(TileCode code, block::DropoutAttr form,
                               ValueRange halves, Value key) {
  return code.less(code.f32(0), keep(code, form, code.f32(1), halves, key));
}

Value AttentionDropout::keep(TileCode code, block::DropoutAttr form,
                             Value number, ValueRange halves, Value key) {
  if (halves.empty())
    return number;
  Type i32 = code.builder.getI32Type();
  auto toWord = [&](Value bits) -> Value {
    return arith::BitcastOp::create(code.builder, code.loc, i32, bits);
  };
  Value column = arith::IndexCastOp::create(code.builder, code.loc, i32, key);
  return DropoutCode(code, form)
      .keep(number, {toWord(halves[0]), toWord(halves[1])}, column);
}
