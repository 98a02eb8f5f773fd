//===- ColumnSumsKernel.cpp - sums rows in blocks of fixed order ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a few columns, which it sums over all rows, some rows at a time:
// sums of sums lose fewer digits.
//
//===----------------------------------------------------------------------===//

#include "ColumnSumsKernel.h"

#include "DivideRows.h"
#include "Product.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Columns of an item.
static constexpr int64_t kItemColumns = 64;

/// Rows of the first and of the second level of summation. Parts of rows start
/// at multiples of these.
static constexpr int64_t kSliceRows = 16, kBlockRows = 128;
static_assert(kPartRows % kBlockRows == 0);

namespace {
/// Sums columns of the item's rows, some vectors of columns at a time.
class ColumnSummer {
public:
  ColumnSummer(Frame &frame, const ColumnSums &sums);
  void emitItem(Value item);

private:
  Value addRow(Value row, Value column, int64_t lanes, Value sum);
  /// Emits the sums of `count` vectors from `column` on.
  void emitVectors(Value column, int64_t lanes, int64_t count);
  void emitRest(Value first, Value end);

  Code &code;
  const ColumnSums &sums;
  Value input, factor, result;
  LaunchRows launch;
  Value rows, zero;
  int64_t distance;
};
} // namespace

ColumnSummer::ColumnSummer(Frame &frame, const ColumnSums &sums)
    : code(frame.getCode()), sums(sums), input(frame.getTensor(0)),
      factor(sums.factor ? frame.getTensor(1) : Value()),
      result(frame.getTensor(sums.factor ? 2 : 1)),
      launch(frame, sums.chunks, sums.chunks ? 2 : kNumRowSizes),
      rows(launch.count), zero(code.index(0)),
      distance(sums.chunks ? sums.chunks->distance : sums.width) {
  if (!sums.chunks)
    for (unsigned dim = 2; dim < kNumRowSizes; ++dim)
      rows = code.mulI(rows, frame.getDim(dim));
}

Value ColumnSummer::addRow(Value row, Value column, int64_t lanes, Value sum) {
  Value place = code.addI(code.mulI(row, distance), column);
  Value x = code.load(input, sums.input, place, lanes);
  if (!factor)
    return code.add(sum, x);
  Value times = sums.isFactorOfRows
                    ? code.splat(code.load(factor, sums.factor, row, 1), lanes)
                    : code.load(factor, sums.factor, place, lanes);
  return code.fma(x, times, sum);
}

void ColumnSummer::emitVectors(Value column, int64_t lanes, int64_t count) {
  Type type = code.f32Type(lanes);
  Values initial(count, code.real(type, 0));
  auto getColumn = [&](int64_t vector) {
    return code.addI(column, vector * lanes);
  };
  Values start = code.ifElse(
      launch.isLater, SmallVector<Type>(count, type),
      [&]() -> Values {
        Values known;
        for (int64_t v = 0; v < count; ++v)
          known.push_back(code.load(result, sums.result, getColumn(v), lanes));
        return known;
      },
      [&] { return initial; });
  auto addRows = [&](Value first, Value end) {
    return code.loop(
        first, end, 1, initial, [&](Value row, ValueRange sum) -> Values {
          Values next;
          for (int64_t v = 0; v < count; ++v)
            next.push_back(addRow(row, getColumn(v), lanes, sum[v]));
          return next;
        });
  };
  // Adds to `known` the sums, computed by `add`, of ranges of `step` rows.
  auto addRanges = [&](Value from, Value to, int64_t step, ValueRange known,
                       llvm::function_ref<Values(Value, Value)> add) {
    return code.loop(from, to, step, known,
                     [&](Value first, ValueRange before) {
                       Value end = code.minI(code.addI(first, step), to);
                       return addSums(code, before, add(first, end));
                     });
  };
  Values total =
      addRanges(zero, rows, kBlockRows, start, [&](Value first, Value end) {
        return addRanges(first, end, kSliceRows, initial, addRows);
      });
  for (auto [vector, sum] : llvm::enumerate(total))
    code.store(sum, result, sums.result, getColumn(vector));
}

/// Emits the sums of fewer columns than an item has, a vector at a time.
void ColumnSummer::emitRest(Value first, Value end) {
  int64_t lanes = code.lanes();
  Value count = code.subI(end, first);
  Value middle = code.subI(end, code.remI(count, code.index(lanes)));
  code.loop(first, middle, lanes,
            [&](Value column) { emitVectors(column, lanes, 1); });
  code.loop(middle, end, 1, [&](Value column) { emitVectors(column, 1, 1); });
}

void ColumnSummer::emitItem(Value item) {
  Value first = code.mulI(item, kItemColumns);
  Value end = code.minI(code.addI(first, kItemColumns), code.index(sums.width));
  code.ifElse(
      code.equalI(code.subI(end, first), code.index(kItemColumns)), {},
      [&]() -> Values {
        emitVectors(first, code.lanes(), kItemColumns / code.lanes());
        return {};
      },
      [&]() -> Values {
        emitRest(first, end);
        return {};
      });
}

KernelCode cpugen::buildColumnSumsKernel(Frame &frame, const ColumnSums &sums) {
  ColumnSummer summer(frame, sums);
  frame.getCode().loop(frame.getBegin(), frame.getEnd(), 1,
                       [&](Value item) { summer.emitItem(item); });
  return frame.finish(
      static_cast<int64_t>(llvm::divideCeil(sums.width, kItemColumns)));
}
