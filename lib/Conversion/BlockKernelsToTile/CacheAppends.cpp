//===- CacheAppends.cpp - places of new rows in caches --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A cache is updated in place if the launcher passes one memory for it and for
// the result: then only new rows are written. Otherwise all other rows are
// copied, too. No row is written twice, so the order does not matter.
//
//===----------------------------------------------------------------------===//

#include "CacheAppends.h"

#include "CachePages.h"

using namespace mlir;
using namespace parablock;

void parablock::copyRow(TileCode code, Value from, Value fromRow, Value to,
                        Value toRow) {
  int64_t width = cast<MemRefType>(from.getType()).getShape().back();
  code.columns(
      code.index(0), code.index(width), [&](TileCode each, Value column) {
        each.store(each.load(from, fromRow, column), to, toRow, column);
      });
}

Value parablock::loadCount(TileCode code, Value counts, Value at) {
  return code.maxIndex(code.toIndex(code.load(counts, code.index(0), at)),
                       code.index(0));
}

Value parablock::createTakenRow(TileCode code, Value input, Value numbers,
                                Value row) {
  Value all = code.dim(input, 1), taken = code.dim(numbers, 0);
  Value number = loadCount(code, numbers, code.remIndex(row, taken));
  Value last = code.subIndex(all, code.index(1));
  Value first = code.mulIndex(code.divIndex(row, taken), all);
  return code.addIndex(first, code.minIndex(number, last));
}

/// Creates the distance, modulo the ring, of row `row` of page `page` behind
/// the first new row: for the nearest batch row with that page, or the capacity
/// of a cache if none has it.
static Value createDistanceBehind(TileCode code, const CachePages &pages,
                                  Value lengths, Value page, Value row) {
  Value zero = code.index(0), capacity = pages.createCapacity(code);
  return code.accumulate(
      zero, code.dim(lengths, 0), capacity,
      [&](TileCode inner, Value batch, ValueRange found) -> SmallVector<Value> {
        Value first =
            inner.remIndex(loadCount(inner, lengths, batch), capacity);
        return {inner.accumulate(
            zero, inner.dim(pages.table, 1), found[0],
            [&](TileCode each, Value entry,
                ValueRange nearest) -> SmallVector<Value> {
              Value slot = each.addIndex(
                  each.mulIndex(entry, each.index(pages.getPageRows())), row);
              Value behind = each.remIndex(
                  each.addIndex(slot, each.subIndex(capacity, first)),
                  capacity);
              Value isHere =
                  each.equalIndex(pages.loadPage(each, batch, entry), page);
              return {each.minIndex(nearest[0],
                                    each.select(isHere, behind, capacity))};
            })[0]};
      })[0];
}

Value CacheAppend::createRow(TileCode code, Value row, Value count) const {
  Value own = code.divIndex(row, count), time = code.remIndex(row, count);
  CachePages paged = {pages, cache};
  Value capacity = pages ? paged.createCapacity(code) : code.dim(cache, 1);
  Value slot = code.remIndex(code.addIndex(loadCount(code, lengths, own), time),
                             capacity);
  return pages ? paged.findRow(code, own, slot)
               : code.addIndex(code.mulIndex(own, capacity), slot);
}

/// Creates the distance of row `row` of the cache behind the first new row,
/// modulo the ring.
static Value createDistanceBehind(TileCode code, const CacheAppend &append,
                                  Value row) {
  if (append.pages) {
    CachePages paged = {append.pages, append.cache};
    Value size = code.index(paged.getPageRows());
    return createDistanceBehind(code, paged, append.lengths,
                                code.divIndex(row, size),
                                code.remIndex(row, size));
  }
  Value capacity = code.dim(append.cache, 1);
  Value own = code.divIndex(row, capacity), slot = code.remIndex(row, capacity);
  Value first = code.remIndex(loadCount(code, append.lengths, own), capacity);
  return code.remIndex(code.addIndex(slot, code.subIndex(capacity, first)),
                       capacity);
}

void CacheAppend::copyOthers(TileCode code, Value count) const {
  Value all = code.mulIndex(code.dim(cache, 0), code.dim(cache, 1));
  Value others =
      code.select(code.isSameMemory(cache, result), code.index(0), all);
  code.gridRows(others, [&](TileCode inner, Value row) {
    Value behind = createDistanceBehind(inner, *this, row);
    Value lastNew = inner.subIndex(count, inner.index(1));
    inner.when(inner.lessIndex(lastNew, behind),
               [&](TileCode each) { copyRow(each, cache, row, result, row); });
  });
}
