//===- EmitScores.cpp - allowed keys and the way of a score ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitScores.h"

#include "TensorElements.h"
#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Conversion/ScorePipeline.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Allowed keys
//===----------------------------------------------------------------------===//

static Value conjoin(Value a, Value b, TensorEmitter &emit) {
  return a ? emit.binary(Binary::And, a, b) : b;
}

/// Positions of queries, `[1, 1, T, 1]`, and of keys, `[1, 1, 1, S]`.
static FailureOr<std::pair<Value, Value>>
buildPositions(block::AttentionOpInterface op, TensorEmitter &emit) {
  FailureOr<Value> queries =
      emitPositions(Size(op.getQuery(), 1), 2, 4, op, emit);
  if (failed(queries))
    return failure();
  FailureOr<Value> keys = emitPositions(Size(op.getKey(), 1), 3, 4, op, emit);
  if (failed(keys))
    return failure();
  return std::pair(*queries, *keys);
}

/// Keys of the query's own sequence, where several share a row. A row's
/// sequence is how many of them have begun; one that they all end before has
/// none.
static Value buildOwnSequence(Value bounds, Value rows, TensorEmitter &emit) {
  Value beginnings = emit.split(emit.cast(bounds, emit.builder.getI32Type()), 0,
                                {1, 1, 1, Size(bounds, 0)});
  Value begun = emit.binary(Binary::GreaterEqual, rows, beginnings);
  Value queries = emit.reduce(Reduction::Sum, emit.toF32(begun), 3);
  Value keys = emit.transpose(queries, {0, 1, 3, 2});
  Value isBeyond = emit.reduce(Reduction::All, begun, 3);
  return emit.binary(Binary::And, emit.binary(Binary::Equal, queries, keys),
                     emit.unary(Unary::Not, isBeyond));
}

FailureOr<Value> parablock::emitAllowedKeys(block::AttentionOpInterface op,
                                            TensorEmitter &emit) {
  block::ScoresAttr scores = op.getScores();
  std::optional<int64_t> window = scores.getWindow();
  if (!scores.getCausal() && !window && !op.getLengths() && !op.getCuSeqlens())
    return Value();
  auto positions = buildPositions(op, emit);
  if (failed(positions))
    return failure();
  auto [queries, keys] = *positions;
  Value allowed;
  if (scores.getCausal())
    allowed = emit.binary(Binary::GreaterEqual, queries, keys);
  if (window) {
    double reach = static_cast<double>(*window);
    // j > i - window, and j < i + window where later keys are seen at all.
    allowed =
        conjoin(allowed,
                emit.binary(Binary::Greater,
                            emit.binary(Binary::Add, keys, reach), queries),
                emit);
    if (!scores.getCausal())
      allowed =
          conjoin(allowed,
                  emit.binary(Binary::Greater,
                              emit.binary(Binary::Add, queries, reach), keys),
                  emit);
  }
  if (Value lengths = op.getLengths()) {
    lengths = emit.cast(lengths, emit.builder.getI32Type());
    lengths = emit.split(lengths, 0, {Size(op.getQuery(), 0), 1, 1, 1});
    allowed =
        conjoin(allowed, emit.binary(Binary::Greater, lengths, keys), emit);
  }
  if (Value bounds = op.getCuSeqlens())
    allowed = conjoin(allowed, buildOwnSequence(bounds, queries, emit), emit);
  return allowed;
}

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

/// ALiBi by key only, rounded as its type says.
static FailureOr<Value> buildRoundedAlibi(block::AttentionOpInterface op,
                                          ArrayRef<double> slopes,
                                          TensorEmitter &emit) {
  int64_t keys = op.getKey().getType().getDimSize(1);
  if (op.getCuSeqlens())
    return op->emitOpError("has no form at this level with cu_seqlens and a "
                           "bias that is rounded");
  if (ShapedType::isDynamic(keys))
    return op->emitOpError("needs a sequence length that is a number at this "
                           "level, as its bias is rounded, got a dynamic one");
  constexpr uint64_t mostElements = 1 << 22;
  auto elements = llvm::SaturatingMultiply<uint64_t>(slopes.size(), keys);
  if (elements > mostElements)
    return op->emitOpError("expected a rounded bias of at most ")
           << mostElements << " elements at this level, got " << elements;
  Type type = op.getScores().getAlibiType();
  SmallVector<double> bias;
  for (double slope : slopes)
    for (int64_t key = 0; key < keys; ++key)
      bias.push_back(computeRoundedAlibi(slope, key, type));
  return emit.constant({1, static_cast<int64_t>(slopes.size()), 1, keys}, bias);
}

static FailureOr<Value> buildAlibi(block::AttentionOpInterface op,
                                   TensorEmitter &emit) {
  block::ScoresAttr scores = op.getScores();
  SmallVector<double> slopes = computeAlibiSlopes(op.getHeads(), scores);
  if (scores.getAlibiType())
    return buildRoundedAlibi(op, slopes, emit);
  auto positions = buildPositions(op, emit);
  if (failed(positions))
    return failure();
  Value distances = emit.toF32(
      emit.binary(Binary::Subtract, positions->second, positions->first));
  if (!scores.getCausal())
    distances = emit.unary(Unary::Negate, emit.unary(Unary::Abs, distances));
  return emit.multiply(
      distances,
      emit.constant({1, static_cast<int64_t>(slopes.size()), 1, 1}, slopes));
}

/// Entries of the table by bucket, `[1, H, T, S]`.
static FailureOr<Value> buildRelativeBias(block::AttentionOpInterface op,
                                          TensorEmitter &emit) {
  int64_t queries = op.getQuery().getType().getDimSize(1);
  int64_t keys = op.getKey().getType().getDimSize(1);
  Value table = emit.toF32(op.getRelativeTable());
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys))
    return op->emitOpError("needs sequence lengths that are numbers at this "
                           "level, as it has buckets, got a dynamic one");
  block::BucketsAttr form = *op.getBuckets();
  int64_t rows = TensorEmitter::getType(table).getDimSize(0);
  SmallVector<int32_t> buckets;
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j)
      buckets.push_back(static_cast<int32_t>(computeBucket(
          i - j, rows, form.getMaxDistance(), form.getBidirectional())));
  Value indices = emit.constant(DenseElementsAttr::get(
      RankedTensorType::get({queries, keys}, emit.builder.getI32Type()),
      ArrayRef(buckets)));
  Value bias = emit.transpose(emit.gatherRows(table, indices), {2, 0, 1});
  return emit.split(bias, 0, {1, static_cast<int64_t>(op.getHeads())});
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

FailureOr<Value> parablock::emitScores(block::AttentionOpInterface op,
                                       Value products, TensorEmitter &emit) {
  block::ScoresAttr scores = op.getScores();
  Value bias;
  if (scores.getAlibiMax()) {
    FailureOr<Value> alibi = buildAlibi(op, emit);
    if (failed(alibi))
      return failure();
    bias = *alibi;
  }
  if (op.getRelativeTable()) {
    FailureOr<Value> relative = buildRelativeBias(op, emit);
    if (failed(relative))
      return failure();
    bias = bias ? emit.add(bias, *relative) : *relative;
  }
  Value score = orderScore(TensorElements(emit), scores, products, bias);
  if (!op.getScoreBias())
    return score;
  return emit.add(score, emit.toF32(op.getScoreBias()));
}
