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

/// Swaps the numbers of every pair.
static Value swapPairs(Code &code, Value value) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < code.lanesOf(value); ++i)
    order.push_back(i ^ 1);
  return vector::ShuffleOp::create(code.builder, code.loc, value, value, order);
}

/// (a, b) becomes (a cos - b sin, b cos + a sin).
Value RowCode::evaluate(block::RopeOp op, const Column &column) {
  block::RopeAttr form = op.getForm();
  int64_t headSize = widthOf(op.getInput()) / op.getHeads();
  int64_t half = form.getDim() / 2;
  Value x = element(op.getInput(), column);
  if (column.border >= form.getDim())
    return x;
  Value place = code.remI(column.index, headSize);
  SmallVector<double> frequencies;
  Value turns, partner;
  bool inHalves = form.getStyle() == block::RopeStyle::Half;
  bool isFirst = column.border < half;
  if (inHalves) {
    for (int64_t pair = 0; pair < half; ++pair)
      frequencies.push_back(form.getFrequency(pair));
    int64_t distance = isFirst ? half : -half;
    turns = turnsOf(frequencies, positions.lookup(op.getOffset()),
                    isFirst ? place : code.addI(place, -half), column.lanes);
    partner = element(op.getInput(), {code.addI(column.index, distance),
                                      column.border + distance, column.lanes});
  } else {
    for (int64_t at = 0; at < form.getDim(); ++at)
      frequencies.push_back(form.getFrequency(at / 2));
    turns = turnsOf(frequencies, positions.lookup(op.getOffset()), place,
                    column.lanes);
    partner = swapPairs(code, x);
  }
  auto [cosine, sine] = code.cosineAndSine(turns);
  auto finish = [&](Value entry) {
    entry = code.mul(entry, form.getTableScaleValue());
    Type type = form.getTableType();
    return type ? code.round(entry, type) : entry;
  };
  cosine = finish(cosine);
  sine = finish(sine);
  if (!inHalves) {
    SmallVector<float> signs;
    for (int64_t lane = 0; lane < column.lanes; ++lane)
      signs.push_back(lane % 2 ? 1 : -1);
    auto type = cast<VectorType>(code.f32Type(column.lanes));
    sine = code.mul(sine,
                    arith::ConstantOp::create(
                        code.builder, code.loc,
                        DenseElementsAttr::get(type, ArrayRef<float>(signs))));
  } else if (isFirst) {
    sine = code.neg(sine);
  }
  return code.fma(partner, sine, code.mul(x, cosine));
}
