//===- ColumnCode.cpp - vectors of columns of a row -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Columns are processed part by part and, in a part, from one border to the
// next, so that no vector crosses a border.
//
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/CPUCode/Code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Processes columns [from, from + length), starting `border` columns after the
/// begin of a part: whole vectors, then smaller and smaller ones.
static void forSection(const Code &code, Value from, int64_t border,
                       int64_t length, int64_t lanes,
                       llvm::function_ref<void(const Column &)> body) {
  int64_t whole = length / lanes * lanes;
  if (whole == lanes)
    body({from, border, lanes});
  else if (whole)
    code.loop(from, code.addI(from, whole), lanes,
              [&](Value index) { body({index, border, lanes}); });
  for (int64_t done = whole; done < length;) {
    while (done + lanes > length)
      lanes /= 2;
    body({code.addI(from, done), border, lanes});
    done += lanes;
  }
}

void Code::forColumns(const ColumnRange &range, const ColumnOrder &order,
                      llvm::function_ref<void(const Column &)> body) const {
  int64_t width = order.scalar ? 1 : lanes();
  if (order.part) {
    auto visitPart = [&](Value begin) {
      for (auto [i, border] : llvm::enumerate(order.borders)) {
        int64_t end =
            i + 1 < order.borders.size() ? order.borders[i + 1] : order.part;
        forSection(*this, addI(begin, border), border, end - border, width,
                   body);
      }
    };
    if (range.isPart)
      visitPart(range.from);
    else
      loop(range.from, range.to, order.part, visitPart);
    return;
  }
  if (range.multiple % width == 0) {
    loop(range.from, range.to, width,
         [&](Value index) { body({index, 0, width}); });
    return;
  }
  Value length = subI(range.to, range.from);
  Value middle = subI(range.to, remI(length, index(width)));
  loop(range.from, middle, width,
       [&](Value index) { body({index, 0, width}); });
  loop(middle, range.to, 1, [&](Value index) { body({index, 0, 1}); });
}

/// A variable of the function, which LLVM keeps in registers.
Value Code::createVariable(Type type) const {
  OpBuilder::InsertionGuard guard(builder);
  auto function = builder.getInsertionBlock()
                      ->getParentOp()
                      ->getParentOfType<func::FuncOp>();
  if (!function)
    function = cast<func::FuncOp>(builder.getInsertionBlock()->getParentOp());
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type,
      index(1));
}

Value Code::foldColumns(const ColumnRange &range, const ColumnOrder &order,
                        llvm::function_ref<Value(const Column &)> body,
                        llvm::function_ref<Value(Value, Value)> join,
                        llvm::function_ref<Value(Value)> reduce) const {
  Type wide = f32Type(lanes()), narrow = f32Type(1);
  Value wideResult = createVariable(wide);
  Value narrowResult = createVariable(narrow);
  Value zero = index(0);
  storeRaw(real(wide, 0), wideResult, zero);
  storeRaw(f32(0), narrowResult, zero);
  forColumns(range, order, [&](const Column &column) {
    Value added = body(column);
    bool isWide = column.lanes == lanes();
    Value variable = isWide ? wideResult : narrowResult;
    Value before = loadRaw(variable, isWide ? wide : narrow, zero);
    storeRaw(join(before, isWide ? added : reduce(added)), variable, zero);
  });
  return join(reduce(loadRaw(wideResult, wide, zero)),
              loadRaw(narrowResult, narrow, zero));
}

Value Code::sumColumns(const ColumnRange &range, const ColumnOrder &order,
                       llvm::function_ref<Value(const Column &)> body) const {
  return foldColumns(
      range, order, body, [&](Value a, Value b) { return add(a, b); },
      [&](Value lanes) { return sum(lanes); });
}

Value Code::maxColumns(const ColumnRange &range, const ColumnOrder &order,
                       llvm::function_ref<Value(const Column &)> body) const {
  return foldColumns(
      range, order, body, [&](Value a, Value b) { return max(a, b); },
      [&](Value lanes) -> Value {
        if (lanesOf(lanes) == 1)
          return lanes;
        return vector::ReductionOp::create(
            builder, loc, vector::CombiningKind::MAXNUMF, lanes);
      });
}

Value Code::addProducts(
    Value total, int64_t size,
    llvm::function_ref<std::pair<Value, Value>(Value, int64_t)> body) const {
  int64_t width = lanes();
  for (int64_t done = 0; done < size; done += width) {
    while (done + width > size)
      width /= 2;
    auto [a, b] = body(index(done), width);
    total = add(total, sum(mul(a, b)));
  }
  return total;
}

//===----------------------------------------------------------------------===//
// Pairs of lanes
//===----------------------------------------------------------------------===//

/// Lane i is that of lane `source(i)`.
Value Code::shuffle(Value value, int64_t lanes,
                    llvm::function_ref<int64_t(int64_t)> source) const {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < lanes; ++i)
    order.push_back(source(i));
  return vector::ShuffleOp::create(builder, loc, value, value, order);
}

Value Code::swapPairs(Value own, const Column &column, Value,
                      llvm::function_ref<Value(const Column &)>) const {
  return shuffle(own, column.lanes, [](int64_t lane) { return lane ^ 1; });
}

Value Code::toIntegers(const Column &column) const {
  Type i32 = builder.getI32Type();
  Value first = arith::TruncIOp::create(builder, loc, i32, column.index);
  if (column.lanes == 1)
    return first;
  auto ahead = llvm::to_vector_of<int32_t>(llvm::seq<int64_t>(column.lanes));
  auto type = VectorType::get(column.lanes, i32);
  return addI(
      arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(ahead))),
      splat(first, column.lanes));
}

Value Code::isFirst(Value, int64_t lanes) const {
  SmallVector<bool> firsts;
  for (int64_t lane = 0; lane < lanes; ++lane)
    firsts.push_back(lane % 2 == 0);
  auto type = VectorType::get(lanes, builder.getI1Type());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<bool>(firsts)));
}

//===----------------------------------------------------------------------===//
// Memory of rows
//===----------------------------------------------------------------------===//

/// The number of an element of a tensor.
static Value getPosition(const Code &code, RankedTensorType type, Value row,
                         Value column) {
  if (type.getRank() == 1)
    return column;
  return code.addI(code.mulI(row, type.getShape().back()), column);
}

Value Code::load(Value place, RankedTensorType type, Value row,
                 const Column &column) const {
  return load(place, type.getElementType(),
              getPosition(*this, type, row, column.index), column.lanes);
}

Value Code::loadForPairs(Value place, RankedTensorType type, Value row,
                         const Column &column) const {
  Column half = column;
  half.lanes /= 2;
  Value entries = load(place, type, row, half);
  if (half.lanes == 1)
    return splat(entries, column.lanes);
  return shuffle(entries, column.lanes, [](int64_t lane) { return lane / 2; });
}

Value Code::loadInteger(Value place, Value row, Value column,
                        Value width) const {
  return loadI64(place, addI(mulI(row, width), column));
}

void Code::store(Value value, Value place, RankedTensorType type, Value row,
                 const Column &column) const {
  store(value, place, type.getElementType(),
        getPosition(*this, type, row, column.index));
}
