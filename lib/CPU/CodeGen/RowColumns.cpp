//===- RowColumns.cpp - how the columns of a row are gone through ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Columns [from, from + length), `border` columns after the begin of a part:
/// whole vectors, then ever smaller ones.
void RowCode::forSection(Value from, int64_t border, int64_t length,
                         int64_t lanes, Body body) {
  int64_t whole = length / lanes * lanes;
  auto visit = [&](Value index, int64_t count) {
    elements.clear();
    body({index, border, count});
  };
  if (whole == lanes)
    visit(from, lanes);
  else if (whole)
    code.loop(from, code.addI(from, whole), lanes,
              [&](Value index) { visit(index, lanes); });
  for (int64_t done = whole; done < length;) {
    while (done + lanes > length)
      lanes /= 2;
    visit(code.addI(from, done), lanes);
    done += lanes;
  }
  elements.clear();
}

void RowCode::forColumns(const ColumnOrder &order, Value from, Value to,
                         int64_t multiple, Body body) {
  int64_t lanes = order.scalar ? 1 : code.lanes();
  if (order.part) {
    code.loop(from, to, order.part, [&](Value begin) {
      Value group = code.divI(begin, order.part);
      for (Operation *op : order.groupSteps)
        prepareGroup(op, group);
      for (auto [i, border] : llvm::enumerate(order.borders)) {
        int64_t end =
            i + 1 < order.borders.size() ? order.borders[i + 1] : order.part;
        forSection(code.addI(begin, border), border, end - border, lanes, body);
      }
    });
    return;
  }
  auto visit = [&](Value index, int64_t count) {
    elements.clear();
    body({index, 0, count});
    elements.clear();
  };
  if (multiple % lanes == 0) {
    code.loop(from, to, lanes, [&](Value index) { visit(index, lanes); });
    return;
  }
  Value length = code.subI(to, from);
  Value middle = code.subI(to, code.remI(length, lanes));
  code.loop(from, middle, lanes, [&](Value index) { visit(index, lanes); });
  code.loop(middle, to, 1, [&](Value index) { visit(index, 1); });
}

/// A variable of the function, which LLVM keeps in registers.
static Value createVariable(Code &code, Type type) {
  OpBuilder::InsertionGuard guard(code.builder);
  auto function = code.builder.getInsertionBlock()
                      ->getParentOp()
                      ->getParentOfType<func::FuncOp>();
  if (!function)
    function =
        cast<func::FuncOp>(code.builder.getInsertionBlock()->getParentOp());
  code.builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(
      code.builder, code.loc,
      LLVM::LLVMPointerType::get(code.builder.getContext()), type,
      code.index(1));
}

Value RowCode::sumColumns(const ColumnOrder &order, Value from, Value to,
                          int64_t multiple,
                          llvm::function_ref<Value(const Column &)> body) {
  int64_t lanes = code.lanes();
  Type wide = code.f32Type(lanes), narrow = code.f32Type(1);
  Value wideSum = createVariable(code, wide);
  Value narrowSum = createVariable(code, narrow);
  Value zero = code.index(0);
  code.storeRaw(code.real(wide, 0), wideSum, zero);
  code.storeRaw(code.f32(0), narrowSum, zero);
  forColumns(order, from, to, multiple, [&](const Column &column) {
    Value added = body(column);
    bool isWide = column.lanes == lanes;
    Value variable = isWide ? wideSum : narrowSum;
    Value before = code.loadRaw(variable, isWide ? wide : narrow, zero);
    code.storeRaw(code.add(before, isWide ? added : code.sum(added)), variable,
                  zero);
  });
  return code.add(code.sum(code.loadRaw(wideSum, wide, zero)),
                  code.loadRaw(narrowSum, narrow, zero));
}
