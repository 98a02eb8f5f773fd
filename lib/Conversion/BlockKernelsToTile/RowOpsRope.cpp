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
  position = createPosition(code, time);
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

/// `place` is that of `column` in its head, of which `dim` are rotated.
static RotatedColumn findPartner(TileCode code, block::RopeStyle style,
                                 int64_t dim, Value column, Value place) {
  Value half = code.index(dim / 2);
  bool inHalves = style == block::RopeStyle::Half;
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

static Value getPlace(TileCode code, Value column, int64_t heads,
                      int64_t headSize) {
  return heads == 1 ? column : code.remIndex(column, code.index(headSize));
}

/// `rotate` where `place` is among the first `dim` of a head, else `x`.
static Value rotateBelow(TileCode code, Value place, int64_t dim,
                         int64_t headSize, Value x,
                         llvm::function_ref<Value(TileCode)> rotate) {
  if (dim == headSize)
    return rotate(code);
  return code.ifElse(code.lessIndex(place, code.index(dim)), rotate,
                     [&](TileCode) { return x; });
}

/// (a, b) becomes (a cos - b sin, b cos + a sin).
static Value rotateElement(TileCode code, Value x, Value partner, Value isFirst,
                           Value cosine, Value sine) {
  Value signedSine = code.select(isFirst, code.sub(code.f32(0), sine), sine);
  return code.fma(partner, signedSine, code.mul(x, cosine));
}

Value RowEmitter::evaluate(TileCode code, block::RopeOp op, Value column) {
  block::RopeAttr form = op.getForm();
  int64_t headSize = getWidth(op.getInput()) / op.getHeads();
  Value place = getPlace(code, column, op.getHeads(), headSize);
  Value x = element(code, op.getInput(), column);

  auto rotate = [&](TileCode code) {
    RotatedColumn at =
        findPartner(code, form.getStyle(), form.getDim(), column, place);
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
    return rotateElement(code, x, element(code, op.getInput(), at.partner),
                         at.isFirst, cosine, sine);
  };
  return rotateBelow(code, place, form.getDim(), headSize, x, rotate);
}

Value RowEmitter::loadTable(TileCode code, Value table, Value column) const {
  Value global = program.globals.lookup(table);
  auto type = cast<MemRefType>(global.getType());
  Value time = getTime(code);
  if (!type.isDynamicDim(0))
    return load(code, table, type.getDimSize(0) == 1 ? time : row, column);
  Value isShared = code.lessIndex(code.dim(global, 0), code.index(2));
  return load(code, table, code.select(isShared, time, row), column);
}

Value RowEmitter::evaluate(TileCode code, block::RotateOp op, Value column) {
  int64_t dim = op.getDim(), heads = op.getHeads();
  int64_t headSize = getWidth(op.getInput()) / heads;
  Value place = getPlace(code, column, heads, headSize);
  Value x = element(code, op.getInput(), column);

  auto rotate = [&](TileCode code) {
    RotatedColumn at = findPartner(code, op.getStyle(), dim, column, place);
    auto look = [&](Value table) {
      return loadTable(code, table, getWidth(table) == dim ? place : at.pair);
    };
    Value cosine = look(op.getCosines()), sine = look(op.getSines());
    return rotateElement(code, x, element(code, op.getInput(), at.partner),
                         at.isFirst, cosine, sine);
  };
  return rotateBelow(code, place, dim, headSize, x, rotate);
}
