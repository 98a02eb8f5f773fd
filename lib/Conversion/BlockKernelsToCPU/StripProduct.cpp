//===- StripProduct.cpp - packs strips and multiplies blocks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StripProduct.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

StripForm::StripForm(const CpuTarget &target, Type left, Type right)
    : shape(target.processorClass->gemm),
      // Tiles require more adjacent steps than rows are packed in.
      inPairs(left.isBF16() && right.isBF16() &&
              target.choosePath(ElementType::BF16, int64_t(2)) ==
                  CpuPath::BF16Dot),
      panelColumns(shape.vectors * target.getLanes()) {}

Type StripForm::getUnit(Code &code) const {
  return inPairs ? Type(code.builder.getI32Type()) : code.f32Type(1);
}

Value StripForm::countSteps(Code &code, Value rows) const {
  return inPairs ? code.ceilDivI(rows, 2) : rows;
}

void cpugen::emitStrips(Code &code, const StripForm &form,
                        const StripFactors &factors, Value rows, Value panels,
                        Value steps, Value sums, int64_t columns,
                        Value isFirst) {
  CpuTile shape = form.shape;
  int64_t lanes = code.lanes();
  Type unit = form.getUnit(code);
  Value lastRow = code.addI(rows, -1);
  code.loop(code.index(0), panels, 1, [&](Value panel) {
    ProductOperands operands;
    operands.rightType = factors.rightType;
    operands.inPairs = form.inPairs;
    operands.leftStep = factors.stepDistance;
    operands.right =
        code.address(factors.right, code.mulI(panel, factors.panelDistance),
                     factors.rightType);
    operands.rightStep = form.panelColumns * (form.inPairs ? 2 : 1);
    Value column = code.mulI(panel, form.panelColumns);
    code.loop(code.index(0), rows, shape.rows, [&](Value row) {
      ProductOperands strip = operands;
      for (int64_t i = 0; i < shape.rows; ++i)
        strip.leftRows.push_back(
            code.address(factors.left,
                         code.mulI(code.minI(code.addI(row, i), lastRow),
                                   factors.rowDistance),
                         unit));
      auto getPlace = [&](int64_t number) {
        Value start =
            code.mulI(code.addI(row, number / shape.vectors), columns);
        return code.addI(code.addI(start, column),
                         number % shape.vectors * lanes);
      };
      Values after = emitProduct(
          code, strip, steps, factors.mostSteps, shape.vectors,
          [&] { return loadSums(code, shape, isFirst, sums, getPlace); });
      for (auto [number, sum] : llvm::enumerate(after))
        code.storeRaw(sum, sums, getPlace(number));
    });
  });
}

/// Prefetch distance of rows, in steps. They are too far apart for the
/// processor's own prefetcher.
static constexpr int64_t kStepsAhead = 8;

namespace {
/// Copies rows of units.
class PackingCode {
public:
  PackingCode(Code &code, const StripForm &form, const Rectangle &from)
      : code(code), form(form), from(from) {}

  /// Units of `lanes` columns at a step.
  Value load(Value step, Value column, int64_t lanes) {
    if (!form.inPairs)
      return code.load(from.base, from.type, getPosition(step, column), lanes);
    Type wide = code.typed(code.builder.getI32Type(), lanes);
    auto loadBits = [&](Value row) -> Value {
      Value bits =
          code.loadRaw(from.base, code.typed(code.builder.getI16Type(), lanes),
                       getPosition(row, column));
      return arith::ExtUIOp::create(code.builder, code.loc, wide, bits);
    };
    Value row = code.mulI(step, 2), next = code.addI(row, 1);
    // The row behind the last one is zeros; it is read from the last one.
    Value isThere = code.lessI(next, from.rows);
    Value second = loadBits(code.select(isThere, next, row));
    Value mask =
        code.select(isThere, code.integer(code.builder.getI32Type(), -65536),
                    code.integer(code.builder.getI32Type(), 0));
    Value high = arith::ShLIOp::create(code.builder, code.loc, second,
                                       code.integer(wide, 16));
    return arith::OrIOp::create(code.builder, code.loc, loadBits(row),
                                arith::AndIOp::create(code.builder, code.loc,
                                                      high,
                                                      code.splat(mask, lanes)));
  }

  /// Prefetches that many columns of the rows of a later step. After the last
  /// row, the prefetch is useless but harmless.
  void prefetch(Value step, Value column, int64_t columns) {
    int64_t rows = form.inPairs ? 2 : 1;
    int64_t lineColumns = kLineBytes * 8 / from.type.getIntOrFloatBitWidth();
    Value later = code.addI(step, kStepsAhead);
    for (int64_t i = 0; i < rows; ++i) {
      Value row = code.addI(code.mulI(later, rows), i);
      Value first = getPosition(row, column);
      for (int64_t at = 0; at < columns; at += lineColumns)
        code.prefetch(code.address(from.base, code.addI(first, at), from.type));
    }
  }

  Value zero(int64_t lanes) {
    if (form.inPairs)
      return code.integer(code.typed(code.builder.getI32Type(), lanes), 0);
    return code.real(code.f32Type(lanes), 0);
  }

private:
  Value getPosition(Value row, Value column) {
    return code.addI(code.addI(from.first, code.mulI(row, from.distance)),
                     column);
  }

  Code &code;
  const StripForm &form;
  const Rectangle &from;
};
} // namespace

void cpugen::emitPacking(Code &code, const StripForm &form,
                         const Rectangle &from, Value to, int64_t panelColumns,
                         int64_t panels, int64_t panelDistance) {
  PackingCode packing(code, form, from);
  int64_t lanes = code.lanes();
  Value zero = code.index(0), width = code.index(panelColumns);
  auto copyPanel = [&](Value step, Value column, Value count, Value place) {
    auto copy = [&](Value begin, Value end, int64_t wide, bool isThere) {
      code.loop(begin, end, wide, [&](Value at) {
        code.storeRaw(isThere ? packing.load(step, code.addI(column, at), wide)
                              : packing.zero(wide),
                      to, code.addI(place, at));
      });
    };
    Value whole = code.mulI(code.divI(count, lanes), lanes);
    copy(zero, whole, lanes, true);
    copy(whole, count, 1, true);
    copy(count, width, 1, false);
  };
  code.loop(zero, form.countSteps(code, from.rows), 1, [&](Value step) {
    Value line = code.mulI(step, panelColumns);
    auto getPlace = [&](Value panel) {
      return code.addI(code.mulI(panel, panelDistance), line);
    };
    auto copyFull = [&](Value place, Value column) {
      for (int64_t v = 0; v < panelColumns; v += lanes)
        code.storeRaw(packing.load(step, code.addI(column, v), lanes), to,
                      code.addI(place, v));
    };
    code.loop(zero, code.index(panels), 1, [&](Value panel) {
      Value column = code.mulI(panel, panelColumns);
      Value left = code.maxI(code.subI(from.columns, column), zero);
      packing.prefetch(step, column, panelColumns);
      code.ifElse(
          code.lessI(left, width), {},
          [&]() -> Values {
            copyPanel(step, column, left, getPlace(panel));
            return {};
          },
          [&]() -> Values {
            if (panelColumns <= 8 * lanes)
              copyFull(getPlace(panel), column);
            else
              copyPanel(step, column, width, getPlace(panel));
            return {};
          });
    });
  });
}

/// Calls `copy` for vectors of the rectangle: with the places in the sums and
/// in the tensor, and the number of elements.
static void forSums(Code &code, int64_t distance, const Rectangle &rectangle,
                    llvm::function_ref<void(Value, Value, int64_t)> copy) {
  int64_t lanes = code.lanes();
  Value zero = code.index(0);
  Value whole = code.mulI(code.divI(rectangle.columns, lanes), lanes);
  code.loop(zero, rectangle.rows, 1, [&](Value row) {
    Value sums = code.mulI(row, distance);
    Value place =
        code.addI(rectangle.first, code.mulI(row, rectangle.distance));
    auto copyAll = [&](Value begin, Value end, int64_t wide) {
      code.loop(begin, end, wide, [&](Value at) {
        copy(code.addI(sums, at), code.addI(place, at), wide);
      });
    };
    copyAll(zero, whole, lanes);
    copyAll(whole, rectangle.columns, 1);
  });
}

void cpugen::emitSumStore(Code &code, Value sums, int64_t distance,
                          const Rectangle &to) {
  forSums(code, distance, to, [&](Value sum, Value place, int64_t wide) {
    code.store(code.loadRaw(sums, code.f32Type(wide), sum), to.base, to.type,
               place);
  });
}

void cpugen::emitSumLoad(Code &code, Value sums, int64_t distance,
                         const Rectangle &from) {
  forSums(code, distance, from, [&](Value sum, Value place, int64_t wide) {
    code.storeRaw(code.load(from.base, from.type, place, wide), sums, sum);
  });
}
