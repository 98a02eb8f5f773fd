//===- RowRope.cpp - rotation of heads by their position ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowCode.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

void RowCode::preparePosition(Value offset) {
  Value &position = positions[offset];
  if (position)
    return;
  Value time = code.remI(row, sequence);
  if (offset)
    time = code.addI(time, sizes.lookup(offset));
  position = arith::SIToFPOp::create(code.builder, code.loc,
                                     code.builder.getF64Type(), time);
}

/// Turns of `position` at as many frequencies as there are lanes, from `first`
/// on.
Value RowCode::turnsOf(ArrayRef<double> frequencies, Value position,
                       Value first, int64_t lanes) {
  constexpr double twoPi = 6.28318530717958648;
  SmallVector<double> perPosition = llvm::map_to_vector(
      frequencies, [&](double frequency) { return frequency / twoPi; });
  Type f64 = code.builder.getF64Type();
  auto type =
      RankedTensorType::get(static_cast<int64_t>(perPosition.size()), f64);
  Value table = code.table(DenseElementsAttr::get(type, ArrayRef(perPosition)));
  Value entries = code.loadRaw(table, code.typed(f64, lanes), first);
  return arith::MulFOp::create(code.builder, code.loc, entries,
                               code.splat(position, lanes));
}

std::optional<Rotation> cpugen::findRotation(Operation *op) {
  if (auto rope = dyn_cast<block::RopeOp>(op))
    return Rotation{RowCode::widthOf(rope.getInput()) /
                        static_cast<int64_t>(rope.getHeads()),
                    rope.getForm().getDim(), rope.getForm().getStyle()};
  if (auto rotate = dyn_cast<block::RotateOp>(op))
    return Rotation{RowCode::widthOf(rotate.getInput()) /
                        static_cast<int64_t>(rotate.getHeads()),
                    static_cast<int64_t>(rotate.getDim()), rotate.getStyle()};
  return std::nullopt;
}

/// Lane i is that of lane `source(i)`.
static Value shuffle(Code &code, Value value, int64_t lanes,
                     llvm::function_ref<int64_t(int64_t)> source) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < lanes; ++i)
    order.push_back(source(i));
  return vector::ShuffleOp::create(code.builder, code.loc, value, value, order);
}

/// (a, b) becomes (a cos - b sin, b cos + a sin).
Value RowCode::rotate(Value input, const Rotation &form, const Column &column,
                      Value cosine, Value sine) {
  Value x = element(input, column), partner;
  if (form.inHalves()) {
    int64_t distance = form.isFirst(column) ? form.dim / 2 : -form.dim / 2;
    partner = element(input, {code.addI(column.index, distance),
                              column.border + distance, column.lanes});
    if (form.isFirst(column))
      sine = code.neg(sine);
  } else {
    partner =
        shuffle(code, x, column.lanes, [](int64_t lane) { return lane ^ 1; });
    SmallVector<float> signs;
    for (int64_t lane = 0; lane < column.lanes; ++lane)
      signs.push_back(lane % 2 ? 1 : -1);
    auto type = cast<VectorType>(code.f32Type(column.lanes));
    sine = code.mul(sine,
                    arith::ConstantOp::create(
                        code.builder, code.loc,
                        DenseElementsAttr::get(type, ArrayRef<float>(signs))));
  }
  return code.fma(partner, sine, code.mul(x, cosine));
}

//===----------------------------------------------------------------------===//
// By position
//===----------------------------------------------------------------------===//

Value RowCode::evaluate(block::RopeOp op, const Column &column) {
  block::RopeAttr form = op.getForm();
  Rotation rotation = *findRotation(op);
  if (column.border >= rotation.dim)
    return element(op.getInput(), column);
  int64_t half = rotation.dim / 2;
  Value place = code.remI(column.index, rotation.headSize);
  SmallVector<double> frequencies;
  if (rotation.inHalves()) {
    for (int64_t pair = 0; pair < half; ++pair)
      frequencies.push_back(form.getFrequency(pair));
    if (!rotation.isFirst(column))
      place = code.addI(place, -half);
  } else {
    for (int64_t at = 0; at < rotation.dim; ++at)
      frequencies.push_back(form.getFrequency(at / 2));
  }
  auto [cosine, sine] = code.cosineAndSine(turnsOf(
      frequencies, positions.lookup(op.getOffset()), place, column.lanes));
  auto finish = [&](Value entry) {
    entry = code.mul(entry, form.getTableScaleValue());
    Type type = form.getTableType();
    return type ? code.round(entry, type) : entry;
  };
  return rotate(op.getInput(), rotation, column, finish(cosine), finish(sine));
}

//===----------------------------------------------------------------------===//
// By tables
//===----------------------------------------------------------------------===//

/// Of the columns in `column`, from a table with a column for each pair or each
/// element of a head.
Value RowCode::tableEntry(Value table, const Rotation &form,
                          const Column &column) {
  auto type = cast<RankedTensorType>(table.getType());
  int64_t half = form.dim / 2, columns = widthOf(table);
  bool isOfPairs = columns == half;
  Value place = code.remI(column.index, form.headSize);
  int64_t lanes = column.lanes;
  if (isOfPairs && form.inHalves() && !form.isFirst(column))
    place = code.addI(place, -half);
  if (isOfPairs && !form.inHalves()) {
    place = code.divI(place, 2);
    lanes /= 2;
  }
  Value tableRow = type.getDimSize(0) == 1 ? code.remI(row, sequence) : row;
  Value entries =
      code.load(memory.lookup(table), type.getElementType(),
                code.addI(code.mulI(tableRow, columns), place), lanes);
  if (lanes == column.lanes)
    return entries;
  if (lanes == 1)
    return code.splat(entries, column.lanes);
  return shuffle(code, entries, column.lanes,
                 [](int64_t lane) { return lane / 2; });
}

Value RowCode::evaluate(block::RotateOp op, const Column &column) {
  Rotation form = *findRotation(op);
  if (column.border >= form.dim)
    return element(op.getInput(), column);
  return rotate(op.getInput(), form, column,
                tableEntry(op.getCosines(), form, column),
                tableEntry(op.getSines(), form, column));
}
