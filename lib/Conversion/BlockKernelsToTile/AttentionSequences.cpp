//===- AttentionSequences.cpp - sequences that share one batch row --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Packed sequences stand one after the other, and a query sees keys of its own
// alone. The first and the last row of a tile say which keys the tile needs at
// all. Where each row's sequence begins and ends is searched for once, and then
// kept in registers: two numbers for each row of a thread.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

/// How many of the bounds are at most `time`, by bisection.
Value AttentionBuilder::countBounds(TileCode code, Value time) {
  Value bounds = get(op.getCuSeqlens());
  Value size = code.dim(bounds, 0);
  auto type = cast<MemRefType>(bounds.getType());
  constexpr int64_t mostBits = 31;
  int64_t bits =
      type.isDynamicDim(0) ? mostBits : llvm::Log2_64(type.getDimSize(0)) + 1;
  Value highest = code.index(int64_t(1) << (bits - 1));
  return code.accumulate(
      zero, code.index(bits), zero,
      [&](TileCode inner, Value step, ValueRange count) -> Values {
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

Value AttentionBuilder::loadBound(TileCode code, Value number) {
  return code.toIndex(code.load(get(op.getCuSeqlens()), zero, number));
}

Value AttentionBuilder::createLastBound(TileCode code) {
  return code.subIndex(code.dim(get(op.getCuSeqlens()), 0), code.index(1));
}

/// The numbers of the bounds around a row before which there are `count` of
/// them: equal where the row is in no sequence.
KeyRange AttentionBuilder::getBoundsAround(TileCode code, Value count) {
  return {code.maxIndex(code.subIndex(count, code.index(1)), zero),
          code.minIndex(count, createLastBound(code))};
}

KeyRange AttentionBuilder::findSequence(TileCode code, Value row) {
  if (!op.getCuSeqlens())
    return {zero, validKeys};
  auto [begin, end] =
      getBoundsAround(code, countBounds(code, createTime(code, row)));
  return {loadBound(code, begin), loadBound(code, end)};
}

/// Finds the sequence of every row of the tile.
void AttentionBuilder::createSequences(TileCode code) {
  sequences.clear();
  if (!op.getCuSeqlens())
    return;
  Value counts = code.map(
      plan.getRowValues(), {},
      [&](TileCode inner, ValueRange indices, ValueRange) {
        return inner.toBits(countBounds(inner, createTime(inner, indices[0])));
      });
  auto lookUp = [&](bool isEnd) {
    return code.map(
        plan.getRowValues(), counts,
        [&](TileCode inner, ValueRange, ValueRange count) {
          auto [begin, end] = getBoundsAround(inner, inner.fromBits(count[0]));
          return inner.toBits(loadBound(inner, isEnd ? end : begin));
        });
  };
  sequences = {lookUp(false), lookUp(true)};
}

/// `sequence` is what `sequences` have at the row.
AttentionQuery AttentionBuilder::createQuery(TileCode code, Value row,
                                             ValueRange sequence) {
  if (sequence.empty())
    return createQuery(code, row, KeyRange{zero, validKeys});
  return createQuery(
      code, row,
      KeyRange{code.fromBits(sequence[0]), code.fromBits(sequence[1])});
}
