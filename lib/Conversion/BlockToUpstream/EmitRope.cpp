//===- EmitRope.cpp - rotary positions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"
#include "parablock/Support/FloatFormats.h"
#include <cmath>

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
} // namespace

static SmallVector<double> getFrequencies(block::RopeAttr form) {
  SmallVector<double> frequencies;
  for (int64_t pair = 0; pair < form.getDim() / 2; ++pair)
    frequencies.push_back(form.getFrequency(pair));
  return frequencies;
}

/// Tables whose rounding is part of the form are written out.
static FailureOr<Tables> buildRoundedTables(block::RopeOp op,
                                            TensorEmitter &emit) {
  block::RopeAttr form = op.getForm();
  int64_t tokens = op.getInput().getType().getDimSize(1);
  if (ShapedType::isDynamic(tokens))
    return op.emitOpError("needs a sequence length that is a number at this "
                          "level, as its table is rounded, got a dynamic one");
  auto round = [&](double value) {
    value *= form.getTableScaleValue();
    if (form.getTableType().isBF16())
      return roundToBF16(value);
    return form.getTableType().isF16() ? roundToF16(value) : value;
  };
  SmallVector<double> cosines, sines, frequencies = getFrequencies(form);
  for (int64_t t = 0; t < tokens; ++t)
    for (double frequency : frequencies) {
      double angle = static_cast<double>(t) * frequency;
      cosines.push_back(round(std::cos(angle)));
      sines.push_back(round(std::sin(angle)));
    }
  SmallVector<int64_t> shape = {1, tokens, 1,
                                static_cast<int64_t>(frequencies.size())};
  return Tables{emit.constant(shape, cosines), emit.constant(shape, sines)};
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

/// `(a, b)` becomes `(a cos - b sin, b cos + a sin)`.
static std::pair<Value, Value> rotate(Value a, Value b, const Tables &tables,
                                      TensorEmitter &emit) {
  return {emit.subtract(emit.multiply(a, tables.cosines),
                        emit.multiply(b, tables.sines)),
          emit.add(emit.multiply(b, tables.cosines),
                   emit.multiply(a, tables.sines))};
}

/// Rotates `[B, T, H, dim]`.
static Value rotateHalves(Value x, int64_t pairs, const Tables &tables,
                          TensorEmitter &emit) {
  auto [first, second] = rotate(emit.slice(x, 3, 0, pairs),
                                emit.slice(x, 3, pairs, pairs), tables, emit);
  return emit.concat({first, second}, 3);
}

static Value rotateNeighbours(Value x, int64_t pairs, const Tables &tables,
                              TensorEmitter &emit) {
  x = emit.split(x, 3, {pairs, 2});
  auto [first, second] =
      rotate(emit.merge(emit.slice(x, 4, 0, 1), 3, 2),
             emit.merge(emit.slice(x, 4, 1, 1), 3, 2), tables, emit);
  Value both = emit.concat(
      {emit.split(first, 3, {pairs, 1}), emit.split(second, 3, {pairs, 1})}, 4);
  return emit.merge(both, 3, 2);
}

FailureOr<Values> parablock::emitRope(block::RopeOp op, TensorEmitter &emit) {
  if (op.getOffset())
    return op.emitOpError("has no form at this level with an offset");
  FailureOr<Tables> tables = buildTables(op, emit);
  if (failed(tables))
    return failure();
  block::RopeAttr form = op.getForm();
  int64_t heads = op.getHeads(), dim = form.getDim();
  int64_t headSize = op.getInput().getType().getDimSize(2) / heads;
  Value x = emit.split(emit.toF32(op.getInput()), 2, {heads, headSize});
  Value rotated = dim == headSize ? x : emit.slice(x, 3, 0, dim);
  rotated = form.getStyle() == block::RopeStyle::Half
                ? rotateHalves(rotated, dim / 2, *tables, emit)
                : rotateNeighbours(rotated, dim / 2, *tables, emit);
  if (dim != headSize)
    rotated = emit.concat({rotated, emit.slice(x, 3, dim, headSize - dim)}, 3);
  rotated = emit.cast(rotated, getElement(op));
  return Values{emit.merge(rotated, 2, 2)};
}
