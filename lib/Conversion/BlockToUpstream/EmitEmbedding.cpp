//===- EmitEmbedding.cpp - emits embeddings and patches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

/// Emits positions for checkpoints that count real tokens only: `pad + (id ==
/// pad ? 0 : number of real tokens up to here)`, `[B, T]` of i32. The count is
/// a product with a triangle.
static FailureOr<Value> countRealTokens(block::EmbeddingOp op, double pad,
                                        TensorEmitter &emit) {
  Value ids = emit.cast(op.getIds(), emit.builder.getI32Type());
  FailureOr<Value> rows = emitPositions(Size(ids, 1), 0, 2, op, emit);
  FailureOr<Value> columns = emitPositions(Size(ids, 1), 1, 2, op, emit);
  if (failed(rows) || failed(columns))
    return failure();
  Value real =
      emit.toF32(emit.unary(Unary::Not, emit.binary(Binary::Equal, ids, pad)));
  Value triangle =
      emit.toF32(emit.binary(Binary::GreaterEqual, *columns, *rows));
  Value counted = emit.multiply(emit.matmul(real, triangle), real);
  return emit.cast(emit.binary(Binary::Add, counted, pad),
                   emit.builder.getI32Type());
}

/// Sines and cosines of positions, `[1, T, width]`.
static FailureOr<Value> buildSinusoid(block::EmbeddingOp op, int64_t width,
                                      TensorEmitter &emit) {
  FailureOr<Value> positions =
      emitPositions(Size(op.getIds(), 1), 1, 3, op, emit);
  if (failed(positions))
    return failure();
  int64_t pairs = width / 2;
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < pairs; ++i)
    frequencies.push_back(std::pow(10000.0, -2.0 * static_cast<double>(i) /
                                                static_cast<double>(width)));
  Value shifted = emit.binary(
      Binary::Add, *positions,
      static_cast<double>(static_cast<int64_t>(op.getPositionOffset())));
  Value angles = emit.multiply(emit.toF32(shifted),
                               emit.constant({1, 1, pairs}, frequencies));
  Value sines = emit.unary(Unary::Sin, angles);
  Value cosines = emit.unary(Unary::Cos, angles);
  if (*op.getSinusoid() == block::Sinusoid::Concatenated)
    return emit.concat({sines, cosines}, 2);
  Value both = emit.concat(
      {emit.split(sines, 2, {pairs, 1}), emit.split(cosines, 2, {pairs, 1})},
      3);
  return emit.merge(both, 2, 2);
}

/// Returns the sum of position rows, or null.
static FailureOr<Value> buildPositionTerm(block::EmbeddingOp op, int64_t width,
                                          TensorEmitter &emit) {
  if (op.getSinusoid())
    return buildSinusoid(op, width, emit);
  Value table = op.getPositionTable();
  if (!table)
    return Value();
  if (std::optional<int64_t> pad = op.getPadId()) {
    FailureOr<Value> rows =
        countRealTokens(op, static_cast<double>(*pad), emit);
    if (failed(rows))
      return failure();
    return emit.toF32(emit.gatherRows(table, *rows));
  }
  int64_t first = static_cast<int64_t>(op.getPositionOffset());
  int64_t tokens = op.getIds().getType().getDimSize(1);
  Value rows;
  if (ShapedType::isDynamic(tokens)) {
    FailureOr<Value> positions =
        emitPositions(Size(op.getIds(), 1), 0, 1, op, emit);
    if (failed(positions))
      return failure();
    rows = emit.gatherRows(table, emit.binary(Binary::Add, *positions,
                                              static_cast<double>(first)));
  } else {
    rows = emit.slice(table, 0, first, tokens);
  }
  return emit.split(emit.toF32(rows), 0, {1, Size(op.getIds(), 1)});
}

/// The rows that types add.
static Value buildTypeTerm(block::EmbeddingOp op, TensorEmitter &emit) {
  Value table = op.getTypeTable();
  if (Value types = op.getTypeIds())
    return emit.toF32(emit.gatherRows(table, types));
  return emit.split(emit.toF32(emit.slice(table, 0, 0, 1)), 0, {1, 1});
}

FailureOr<Values> parablock::emitEmbedding(block::EmbeddingOp op,
                                           TensorEmitter &emit) {
  if (op.getOffset())
    return op.emitOpError("has no form at this level with an offset");
  if (op.getFirstId())
    return op.emitOpError("has no form at this level with a first_id");
  int64_t width = TensorEmitter::getType(op.getTable()).getDimSize(1);
  Value x = emit.toF32(emit.gatherRows(op.getTable(), op.getIds()));
  x = emit.scale(x, op.getScale().convertToDouble());
  FailureOr<Value> positions = buildPositionTerm(op, width, emit);
  if (failed(positions))
    return failure();
  if (*positions)
    x = emit.add(x, *positions);
  if (op.getTypeTable())
    x = emit.add(x, buildTypeTerm(op, emit));
  return Values{emit.cast(x, getElement(op))};
}

FailureOr<Values> parablock::emitPatchEmbedding(block::PatchEmbeddingOp op,
                                                TensorEmitter &emit) {
  RankedTensorType pixels = op.getPixels().getType();
  RankedTensorType weight = op.getWeight().getType();
  int64_t height = weight.getDimSize(2), width = weight.getDimSize(3);
  for (unsigned dim : {1, 2, 3})
    if (pixels.isDynamicDim(dim) || weight.isDynamicDim(dim))
      return op.emitOpError("needs image and patch sizes that are numbers at "
                            "this level, got a dynamic one");
  int64_t down = pixels.getDimSize(2) / height;
  int64_t across = pixels.getDimSize(3) / width;
  Value patches = emit.split(emit.split(op.getPixels(), 3, {across, width}), 2,
                             {down, height});
  patches = emit.transpose(patches, {0, 2, 4, 1, 3, 5});
  patches = emit.merge(emit.merge(patches, 3, 3), 0, 3);
  Value x = emitProjection(patches, emit.merge(op.getWeight(), 1, 3), emit);
  if (Value bias = op.getBias())
    x = emit.add(x, emit.asRow(emit.toF32(bias), 2));
  x = emit.split(x, 0, {Size(op.getPixels(), 0), down * across});
  if (Value token = op.getClassToken())
    x = emit.concat({emit.repeat(emit.asRow(emit.toF32(token), 3), 0,
                                 Size(op.getPixels(), 0)),
                     x},
                    1);
  if (Value positions = op.getPositionTable())
    x = emit.add(x,
                 emit.split(emit.toF32(positions), 0, {1, Size(positions, 0)}));
  return Values{emit.cast(x, getElement(op))};
}
