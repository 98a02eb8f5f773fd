//===- CacheLaunches.cpp - kernels that append to caches and take rows ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CacheLaunches.h"

#include "CachePages.h"
#include "parablock/Dialect/Block/RowInterface.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Rows of `width` elements of `bits` each, moved as they are.
struct MovedRows {
  int64_t width;
  unsigned bits;

  explicit MovedRows(Value rows)
      : width(getRowWidth(rows)),
        bits(cast<RankedTensorType>(rows.getType()).getElementTypeBitWidth()) {}

  std::string name(StringRef kind) const {
    return (kind + "_" + Twine(bits) + "_" + Twine(width)).str();
  }

  /// Copies `count` rows, which follow each other in both.
  void copy(const Code &code, Value from, Value first, Value to, Value start,
            Value count) const {
    Type element = code.builder.getIntegerType(bits);
    int64_t lanes = code.lanes() * (bits < 32 ? 2 : 1);
    Value size = code.mulI(count, width);
    Value source = code.mulI(first, width), target = code.mulI(start, width);
    auto move = [&](Value at, int64_t wide) {
      code.storeRaw(
          code.loadRaw(from, code.typed(element, wide), code.addI(source, at)),
          to, code.addI(target, at));
    };
    Value whole = code.mulI(code.divI(size, lanes), lanes);
    code.loop(code.index(0), whole, lanes, [&](Value at) { move(at, lanes); });
    code.loop(whole, size, 1, [&](Value at) { move(at, 1); });
  }
};
} // namespace

/// Tensors: the cache, new rows, lengths, the result. Sizes: new rows, rows
/// of the cache. If cache and result share memory, other rows are
/// unchanged.
static KernelCode buildAppendKernel(Frame &frame, const MovedRows &rows) {
  Code &code = frame.getCode();
  Value cache = frame.getTensor(0), added = frame.getTensor(1),
        lengths = frame.getTensor(2), result = frame.getTensor(3);
  Value count = frame.getDim(0), capacity = frame.getDim(1);
  Value isElsewhere = LLVM::ICmpOp::create(
      code.builder, code.loc, LLVM::ICmpPredicate::ne, cache, result);
  Value zero = code.index(0), one = code.index(1);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value batch) {
    Value own = code.mulI(batch, capacity);
    code.ifThen(isElsewhere,
                [&] { rows.copy(code, cache, own, result, own, capacity); });
    Value length = code.maxI(code.loadI64(lengths, batch), zero);
    Value from = code.mulI(batch, count);
    code.loop(zero, count, 1, [&](Value row) {
      Value slot = code.remI(code.addI(length, row), capacity);
      rows.copy(code, added, code.addI(from, row), result, code.addI(own, slot),
                one);
    });
  });
  return frame.finish();
}

/// Returns whether a new row is written to row `row` of page `page`. No batch
/// row writes to two of them.
static Value isNewRow(const Code &code, const CachePages &pages, Value lengths,
                      Value batch, Value count, Value page, Value row) {
  Value zero = code.index(0), capacity = pages.createCapacity(code);
  Value least = code.loop(
      zero, batch, 1, capacity, [&](Value other, ValueRange found) -> Values {
        Value first =
            code.remI(code.maxI(code.loadI64(lengths, other), zero), capacity);
        return code.loop(
            zero, pages.entries, 1, found[0],
            [&](Value entry, ValueRange known) -> Values {
              // The distance behind the first new row, modulo the ring.
              Value slot = code.addI(code.mulI(entry, pages.pageRows), row);
              Value behind = code.remI(
                  code.addI(slot, code.subI(capacity, first)), capacity);
              Value isHere =
                  code.equalI(pages.loadPage(code, other, entry), page);
              Value best = code.select(isHere, behind, capacity);
              return {code.minI(known[0], best)};
            });
      })[0];
  return code.lessI(least, count);
}

/// Tensors: the pool, new rows, lengths, pages, the result. Sizes: new rows,
/// pages of a batch row, pages of the pool, the batch. If pool and result
/// differ, each item also copies its share of the rows that no item writes.
static KernelCode buildPagedAppendKernel(Frame &frame, const MovedRows &rows,
                                         int64_t pageRows) {
  Code &code = frame.getCode();
  Value pool = frame.getTensor(0), added = frame.getTensor(1),
        lengths = frame.getTensor(2), result = frame.getTensor(4);
  Value count = frame.getDim(0), batches = frame.getDim(3);
  CachePages pages = {frame.getTensor(3), frame.getDim(1), frame.getDim(2),
                      pageRows};
  Value isElsewhere = LLVM::ICmpOp::create(
      code.builder, code.loc, LLVM::ICmpPredicate::ne, pool, result);
  Value zero = code.index(0), one = code.index(1);
  Value capacity = pages.createCapacity(code);
  auto copyOthers = [&](Value page) {
    code.loop(zero, code.index(pageRows), 1, [&](Value row) {
      Value isOld =
          code.equalI(isNewRow(code, pages, lengths, batches, count, page, row),
                      code.integer(code.builder.getI1Type(), 0));
      Value own = code.addI(code.mulI(page, pageRows), row);
      code.ifThen(isOld, [&] { rows.copy(code, pool, own, result, own, one); });
    });
  };
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value batch) {
    auto shareOf = [&](Value item) {
      return code.divI(code.mulI(item, pages.pages), batches);
    };
    code.ifThen(isElsewhere, [&] {
      code.loop(shareOf(batch), shareOf(code.addI(batch, one)), 1, copyOthers);
    });
    Value length = code.maxI(code.loadI64(lengths, batch), zero);
    Value from = code.mulI(batch, count);
    code.loop(zero, count, 1, [&](Value row) {
      Value slot = code.remI(code.addI(length, row), capacity);
      rows.copy(code, added, code.addI(from, row), result,
                pages.findRow(code, batch, slot), one);
    });
  });
  return frame.finish();
}

/// Tensors: rows, indices, the result. Sizes: rows, indices. Indices are
/// clamped to the existing rows.
static KernelCode buildTakeKernel(Frame &frame, const MovedRows &rows) {
  Code &code = frame.getCode();
  Value input = frame.getTensor(0), numbers = frame.getTensor(1),
        result = frame.getTensor(2);
  Value all = frame.getDim(0), taken = frame.getDim(1);
  Value zero = code.index(0);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value batch) {
    code.loop(zero, taken, 1, [&](Value place) {
      Value row = code.maxI(
          code.minI(code.loadI64(numbers, place), code.addI(all, -1)), zero);
      rows.copy(code, input, code.addI(code.mulI(batch, all), row), result,
                code.addI(code.mulI(batch, taken), place), code.index(1));
    });
  });
  return frame.finish();
}

static KernelCode buildAppend(KernelLibrary &library, block::CacheAppendOp op,
                              const MovedRows &rows) {
  if (!op.getPages())
    return library.lookupOrBuild(rows.name("cache_append"), [&](Frame &frame) {
      return buildAppendKernel(frame, rows);
    });
  int64_t pageRows =
      cast<RankedTensorType>(op.getCache().getType()).getDimSize(1);
  return library.lookupOrBuild(
      rows.name(("cache_append_pages_" + Twine(pageRows)).str()),
      [&](Frame &frame) {
        return buildPagedAppendKernel(frame, rows, pageRows);
      });
}

LogicalResult CacheLaunches::add(block::CacheAppendOp op) {
  // Updated in place if the caller passes one memory.
  if (isa<BlockArgument>(op.getCache()) && !op.getCache().hasOneUse())
    return op.emitError("no CPU code for a cache that something else reads");
  auto tensors = source.getTensors(op, op->getOperands());
  if (failed(tensors))
    return failure();
  MovedRows rows(op.getCache());
  Shape shape = plan.getShape((*tensors)[0]),
        added = plan.getShape((*tensors)[1]);
  KernelCode kernel = buildAppend(library, op, rows);
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  launch.dims = {added[1], shape[1]};
  launch.items.inner = {shape[0]};
  if (op.getPages()) {
    launch.dims = {added[1], plan.getShape((*tensors)[3])[1], shape[0],
                   added[0]};
    launch.items.inner = {added[0]};
  }
  plan.addLaunchOf(op, kernel.name, shape, std::move(launch));
  return success();
}

LogicalResult CacheLaunches::add(block::TakeRowsOp op) {
  auto tensors = source.getTensors(op, op->getOperands());
  if (failed(tensors))
    return failure();
  MovedRows rows(op.getInput());
  KernelCode kernel =
      library.lookupOrBuild(rows.name("take_rows"), [&](Frame &frame) {
        return buildTakeKernel(frame, rows);
      });
  Shape shape = plan.getShape((*tensors)[0]);
  OpFoldResult all = std::exchange(shape[1], plan.getShape((*tensors)[1])[0]);
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  launch.dims = {all, shape[1]};
  launch.items.inner = {shape[0]};
  plan.addLaunchOf(op, kernel.name, shape, std::move(launch));
  return success();
}
