//===- MovesKernel.cpp - appends to caches and takes rows by index --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A cache is updated in place if the launcher passes one memory for it and for
// the result: then only new rows are moved. Otherwise all other rows are
// copied, too. No row is written twice, so the order does not matter.
//
//===----------------------------------------------------------------------===//

#include "MovesKernel.h"

#include "CachePages.h"
#include "KernelShell.h"
#include "RouteKernel.h"
#include "RowKernels.h"
#include "SampleKernel.h"
#include "TileCode.h"
#include "parablock/Support/Chips.h"

using namespace mlir;
using namespace parablock;

bool parablock::isMove(Operation *op) {
  return isa<block::CacheAppendOp, block::RouteOp, block::TakeRowsOp,
             block::SampleOp>(op);
}

bool parablock::isSameMove(Operation *first, Operation *second) {
  return first->getName() == second->getName() &&
         first->getAttrDictionary() == second->getAttrDictionary() &&
         first->getOperandTypes() == second->getOperandTypes() &&
         first->getResultTypes() == second->getResultTypes();
}

std::pair<int64_t, int64_t> parablock::findSizeOfMove(Operation *op,
                                                      int64_t dim) {
  // The number of rows is the number of indices.
  if (isa<block::TakeRowsOp>(op) && dim == 1)
    return {1, 0};
  return {0, dim};
}

static void copyRow(TileCode code, Value from, Value fromRow, Value to,
                    Value toRow) {
  int64_t width = cast<MemRefType>(from.getType()).getShape().back();
  code.columns(
      code.index(0), code.index(width), [&](TileCode each, Value column) {
        each.store(each.load(from, fromRow, column), to, toRow, column);
      });
}

/// Element `at` of a tensor of counts.
static Value loadCount(TileCode code, Value counts, Value at) {
  return code.maxIndex(code.toIndex(code.load(counts, code.index(0), at)),
                       code.index(0));
}

/// Creates the distance, modulo the ring, of row `row` of page `page` behind
/// the first new row: for the nearest batch row with that page, or the capacity
/// of a cache if none has it.
static Value createDistance(TileCode code, const CachePages &pages,
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

static void buildPagedAppend(TileCode code, KernelShell &shell) {
  Value pool = shell.getInput(0), added = shell.getInput(1),
        lengths = shell.getInput(2), result = shell.getOutput(0);
  CachePages pages = {shell.getInput(3), pool};
  Value capacity = pages.createCapacity(code), count = code.dim(added, 1);
  Value rows = code.mulIndex(code.dim(added, 0), count);
  code.gridRows(rows, [&](TileCode inner, Value row) {
    Value own = inner.divIndex(row, count), time = inner.remIndex(row, count);
    Value slot = inner.remIndex(
        inner.addIndex(loadCount(inner, lengths, own), time), capacity);
    copyRow(inner, added, row, result, pages.findRow(inner, own, slot));
  });
  Value size = code.index(pages.getPageRows());
  Value others = code.select(code.isSameMemory(pool, result), code.index(0),
                             code.mulIndex(code.dim(pool, 0), size));
  code.gridRows(others, [&](TileCode inner, Value row) {
    Value behind =
        createDistance(inner, pages, lengths, inner.divIndex(row, size),
                       inner.remIndex(row, size));
    Value lastNew = inner.subIndex(count, inner.index(1));
    inner.when(inner.lessIndex(lastNew, behind),
               [&](TileCode each) { copyRow(each, pool, row, result, row); });
  });
}

static void buildAppend(TileCode code, KernelShell &shell) {
  Value cache = shell.getInput(0), added = shell.getInput(1),
        lengths = shell.getInput(2), result = shell.getOutput(0);
  Value batch = code.dim(cache, 0), capacity = code.dim(cache, 1),
        count = code.dim(added, 1);
  code.gridRows(code.mulIndex(batch, count), [&](TileCode inner, Value row) {
    Value own = inner.divIndex(row, count), time = inner.remIndex(row, count);
    Value slot = inner.remIndex(
        inner.addIndex(loadCount(inner, lengths, own), time), capacity);
    copyRow(inner, added, row, result,
            inner.addIndex(inner.mulIndex(own, capacity), slot));
  });
  Value others = code.select(code.isSameMemory(cache, result), code.index(0),
                             code.mulIndex(batch, capacity));
  code.gridRows(others, [&](TileCode inner, Value row) {
    Value own = inner.divIndex(row, capacity),
          slot = inner.remIndex(row, capacity);
    // The distance behind the first new row, modulo the ring.
    Value first = inner.remIndex(loadCount(inner, lengths, own), capacity);
    Value behind = inner.remIndex(
        inner.addIndex(slot, inner.subIndex(capacity, first)), capacity);
    Value lastNew = inner.subIndex(count, inner.index(1));
    inner.when(inner.lessIndex(lastNew, behind),
               [&](TileCode each) { copyRow(each, cache, row, result, row); });
  });
}

/// A number that no row has is taken for one that there is.
static void buildTake(TileCode code, KernelShell &shell) {
  Value input = shell.getInput(0), numbers = shell.getInput(1),
        result = shell.getOutput(0);
  Value all = code.dim(input, 1), taken = code.dim(numbers, 0);
  Value rows = code.mulIndex(code.dim(input, 0), taken);
  code.gridRows(rows, [&](TileCode inner, Value row) {
    Value number = loadCount(inner, numbers, inner.remIndex(row, taken));
    Value last = inner.subIndex(all, inner.index(1));
    Value first = inner.mulIndex(inner.divIndex(row, taken), all);
    copyRow(inner, input, inner.addIndex(first, inner.minIndex(number, last)),
            result, row);
  });
}

FailureOr<tile::KernelOp> parablock::buildMoveKernel(OpBuilder &atModule,
                                                     Operation *op,
                                                     StringRef name,
                                                     StringRef chip) {
  if (auto sample = dyn_cast<block::SampleOp>(op))
    return buildSampleKernel(atModule, sample, name, chip);
  if (auto route = dyn_cast<block::RouteOp>(op))
    return buildRouteKernel(atModule, route, name, chip);
  auto append = dyn_cast<block::CacheAppendOp>(op);
  // The cache may be updated in place.
  if (append && isa<BlockArgument>(append.getCache()) &&
      !append.getCache().hasOneUse())
    return op->emitError("no GPU code for a cache that something else reads");
  Value moved = append ? Value(append.getAdded()) : op->getResult(0);
  std::optional<int64_t> rows = getStaticRows(moved.getType());
  // One warp each, and enough of them for a whole cache.
  if (append)
    rows = std::max<int64_t>(rows.value_or(0),
                             4 * getDeviceChip(chip).multiprocessors);
  KernelShell shell = createKernelShell(
      atModule, op, name, getRowSchedule(op->getContext(), rows, chip));
  TileCode code{shell.builder, op->getLoc()};
  if (append && append.getPages())
    buildPagedAppend(code, shell);
  else if (append)
    buildAppend(code, shell);
  else
    buildTake(code, shell);
  return shell.kernel;
}
