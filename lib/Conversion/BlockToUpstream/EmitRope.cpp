//===- EmitRope.cpp - emits rotations and their tables --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"
#include "parablock/Dialect/Block/RopeTables.h"

using namespace mlir;
using namespace parablock;

FailureOr<Value> parablock::emitPositions(Size size, unsigned dim,
                                          unsigned rank, Operation *op,
                                          TensorEmitter &emit) {
  FailureOr<Value> counted = emit.iota(size);
  if (failed(counted))
    return op->emitOpError("needs a sequence length that is a number at this "
                           "level, got a dynamic one");
  SmallVector<Size> sizes(rank, Size(1));
  sizes[dim] = size;
  return rank == 1 ? *counted : emit.split(*counted, 0, sizes);
}

namespace {
/// Cosines and sines, `[1, T, 1, pairs]`.
struct Tables {
  Value cosines, sines;
};
/// The elements of a head that a rotation is of.
struct Rotated {
  int64_t heads, dim;
  block::RopeStyle style;
  bool inverse;
};
} // namespace

static SmallVector<double> getFrequencies(block::RopeAttr form) {
  SmallVector<double> frequencies;
  for (int64_t pair = 0; pair < form.getDim() / 2; ++pair)
    frequencies.push_back(form.getFrequency(pair));
  return frequencies;
}

/// Emits tables as constants if their rounding is part of the form.
static FailureOr<Tables> buildRoundedTables(block::RopeOp op,
                                            TensorEmitter &emit) {
  block::RopeAttr form = op.getForm();
  int64_t tokens = op.getInput().getType().getDimSize(1);
  if (ShapedType::isDynamic(tokens))
    return op.emitOpError("needs a sequence length that is a number at this "
                          "level, as its table is rounded, got a dynamic one");
  uint64_t elements = countRopeElements(form, tokens);
  if (elements > mostRopeElements)
    return op.emitOpError("expected a rounded table of at most ")
           << mostRopeElements << " elements at this level, got " << elements;
  RopeTables tables = makeRopeTables(form, /*first=*/0, tokens);
  SmallVector<int64_t> shape = {1, tokens, 1, form.getDim() / 2};
  return Tables{emit.constant(shape, tables.cosines),
                emit.constant(shape, tables.sines)};
}

static FailureOr<Tables> buildTables(block::RopeOp op, TensorEmitter &emit) {
  block::RopeAttr form = op.getForm();
  if (form.getTableType())
    return buildRoundedTables(op, emit);
  FailureOr<Value> positions =
      emitPositions(Size(op.getInput(), 1), 1, 4, op, emit);
  if (failed(positions))
    return failure();
  SmallVector<double> frequencies = getFrequencies(form);
  Value angles = emit.multiply(
      emit.toF32(*positions),
      emit.constant({1, 1, 1, static_cast<int64_t>(frequencies.size())},
                    frequencies));
  double scale = form.getTableScaleValue();
  return Tables{emit.scale(emit.unary(Unary::Cos, angles), scale),
                emit.scale(emit.unary(Unary::Sin, angles), scale)};
}

/// The first and the second elements of all pairs of `[.., dim]`.
static std::pair<Value, Value> splitPairs(Value x, block::RopeStyle style,
                                          TensorEmitter &emit) {
  int64_t pairs = TensorEmitter::getType(x).getDimSize(3) / 2;
  if (style == block::RopeStyle::Half)
    return {emit.slice(x, 3, 0, pairs), emit.slice(x, 3, pairs, pairs)};
  x = emit.split(x, 3, {pairs, 2});
  return {emit.merge(emit.slice(x, 4, 0, 1), 3, 2),
          emit.merge(emit.slice(x, 4, 1, 1), 3, 2)};
}

static Value joinPairs(Value first, Value second, block::RopeStyle style,
                       TensorEmitter &emit) {
  if (style == block::RopeStyle::Half)
    return emit.concat({first, second}, 3);
  int64_t pairs = TensorEmitter::getType(first).getDimSize(3);
  Value both = emit.concat(
      {emit.split(first, 3, {pairs, 1}), emit.split(second, 3, {pairs, 1})}, 4);
  return emit.merge(both, 3, 2);
}

/// Maps `(a, b)` to `(a cos - b sin, b cos + a sin)`; the tables of both may
/// differ, and the transposed map has each sine in the other's row. `input` is
/// [B, T, C], the result of type `element`.
static Value rotateHeads(Value input, const Rotated &part, const Tables &first,
                         const Tables &second, Type element,
                         TensorEmitter &emit) {
  int64_t headSize = TensorEmitter::getType(input).getDimSize(2) / part.heads;
  Value x = emit.split(emit.toF32(input), 2, {part.heads, headSize});
  bool isWhole = part.dim == headSize;
  auto [a, b] =
      splitPairs(isWhole ? x : emit.slice(x, 3, 0, part.dim), part.style, emit);
  auto turn = [&](Value x, Value cosines, Value y, Value sines, bool adds) {
    Value own = emit.multiply(x, cosines), other = emit.multiply(y, sines);
    return adds ? emit.add(own, other) : emit.subtract(own, other);
  };
  Value sineOfA = part.inverse ? second.sines : first.sines;
  Value sineOfB = part.inverse ? first.sines : second.sines;
  Value rotated = joinPairs(turn(a, first.cosines, b, sineOfA, part.inverse),
                            turn(b, second.cosines, a, sineOfB, !part.inverse),
                            part.style, emit);
  if (!isWhole)
    rotated = emit.concat(
        {rotated, emit.slice(x, 3, part.dim, headSize - part.dim)}, 3);
  return emit.merge(emit.cast(rotated, element), 2, 2);
}

FailureOr<Values> parablock::emitRope(block::RopeOp op, TensorEmitter &emit) {
  if (op.getOffset())
    return op.emitOpError("has no form at this level with an offset");
  FailureOr<Tables> tables = buildTables(op, emit);
  if (failed(tables))
    return failure();
  block::RopeAttr form = op.getForm();
  Rotated part = {static_cast<int64_t>(op.getHeads()), form.getDim(),
                  form.getStyle(), op.getInverse()};
  return Values{
      rotateHeads(op.getInput(), part, *tables, *tables, getElement(op), emit)};
}

Values parablock::emitRotate(block::RotateOp op, TensorEmitter &emit) {
  Rotated part = {static_cast<int64_t>(op.getHeads()),
                  static_cast<int64_t>(op.getDim()), op.getStyle(),
                  op.getInverse()};
  Tables first, second;
  auto set = [&](Value table, Value Tables::*member) {
    int64_t columns = TensorEmitter::getType(table).getDimSize(2);
    table = emit.split(emit.toF32(table), 1, {Size(table, 1), 1});
    if (columns == part.dim)
      std::tie(first.*member, second.*member) =
          splitPairs(table, part.style, emit);
    else
      first.*member = second.*member = table;
  };
  set(op.getCosines(), &Tables::cosines);
  set(op.getSines(), &Tables::sines);
  return {
      rotateHeads(op.getInput(), part, first, second, getElement(op), emit)};
}
