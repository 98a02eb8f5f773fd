//===- RowOpsRope.cpp - rotation of heads by their position ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Angles.h"
#include "RowEmitter.h"

using namespace mlir;
using namespace parablock;

void RowEmitter::preparePosition(TileCode code, Value offset) {
  Value &position = positions[offset];
  if (position)
    return;
  Value time = getTime(code);
  if (offset) {
    Value zero = code.index(0);
    time = code.addIndex(time, code.toIndex(load(code, offset, row, zero)));
  }
  position = code.toF32(time);
}

namespace {
/// A column of a head's rotated part.
struct RotatedColumn {
  /// The pair, and the column of its other component.
  Value pair, partner;
  /// An i1: the column is the pair's first component.
  Value isFirst;
};
} // namespace

/// `place` is that of `column` in its head.
static RotatedColumn findPartner(TileCode code, block::RopeAttr form,
                                 Value column, Value place) {
  Value half = code.index(form.getDim() / 2);
  bool inHalves = form.getStyle() == block::RopeStyle::Half;
  Value one = code.index(1), two = code.index(2), zero = code.index(0);
  Value distance = inHalves ? half : one;
  Value isFirst = inHalves ? code.lessIndex(place, half)
                           : code.lessIndex(code.remIndex(place, two), one);
  Value partner = code.select(isFirst, code.addIndex(column, distance),
                              code.subIndex(column, distance));
  Value pair = inHalves ? code.subIndex(place, code.select(isFirst, zero, half))
                        : code.divIndex(place, two);
  return {pair, partner, isFirst};
}

Value RowEmitter::evaluate(TileCode code, block::RopeOp op, Value column) {
  block::RopeAttr form = op.getForm();
  int64_t headSize = getWidth(op.getInput()) / op.getHeads();
  Value place =
      op.getHeads() == 1 ? column : code.remIndex(column, code.index(headSize));
  Value x = element(code, op.getInput(), column);

  auto rotate = [&](TileCode code) {
    RotatedColumn at = findPartner(code, form, column, place);
    SmallVector<double> frequencies;
    for (int64_t pair = 0; pair < form.getDim() / 2; ++pair)
      frequencies.push_back(form.getFrequency(pair));
    Value turns = createTurns(code, createFrequencyTable(code, frequencies),
                              positions.lookup(op.getOffset()), at.pair);
    auto finish = [&](Value entry) {
      entry = code.scale(entry, form.getTableScaleValue());
      Type type = form.getTableType();
      return type ? code.round(entry, type) : entry;
    };
    Value cosine = finish(createCosine(code, turns));
    Value sine = finish(createSine(code, turns));
    // (a, b) becomes (a cos - b sin, b cos + a sin).
    Value partner = element(code, op.getInput(), at.partner);
    Value signedSine =
        code.select(at.isFirst, code.sub(code.f32(0), sine), sine);
    return code.fma(partner, signedSine, code.mul(x, cosine));
  };
  if (form.getDim() == headSize)
    return rotate(code);
  return code.ifElse(code.lessIndex(place, code.index(form.getDim())), rotate,
                     [&](TileCode) { return x; });
}
