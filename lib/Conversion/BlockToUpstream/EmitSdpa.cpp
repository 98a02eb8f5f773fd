//===- EmitSdpa.cpp - scaled dot-product attention ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitScores.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace parablock;

namespace {
/// The heads of one attention.
struct Heads {
  int64_t query, kv;
  Size batch;
};
} // namespace

/// `[B, T, heads * D]` as `[B, heads, ..]`, the other two in the order of
/// `permutation`.
static Value splitHeads(Value x, int64_t heads, ArrayRef<int64_t> permutation,
                        TensorEmitter &emit) {
  int64_t width = TensorEmitter::getType(x).getDimSize(2);
  return emit.transpose(emit.split(x, 2, {heads, width / heads}), permutation);
}

/// Each of the key and value heads once for every query head that reads it.
static Value repeatHeads(Value x, const Heads &heads, TensorEmitter &emit) {
  if (heads.query == heads.kv)
    return x;
  x = emit.repeat(emit.split(x, 1, {heads.kv, 1}), 2, heads.query / heads.kv);
  return emit.merge(x, 1, 2);
}

/// Batched products of `[B, H, .., ..]`.
static Value multiplyHeads(Value a, Value b, const Heads &heads,
                           TensorEmitter &emit) {
  Value product = emit.matmul(emit.merge(a, 0, 2), emit.merge(b, 0, 2));
  return emit.split(product, 0, {heads.batch, heads.query});
}

/// `sink` is null, or a logit of each head that joins the sum.
static Value buildSoftmax(Value scores, Value allowed, Value sink,
                          bool rowsMayBeEmpty, TensorEmitter &emit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double fill = rowsMayBeEmpty
                    ? -infinity
                    : -static_cast<double>(std::numeric_limits<float>::max());
  if (allowed)
    scores = emit.select(allowed, scores, fill);
  Value largest = emit.reduce(Reduction::Max, scores, 3);
  if (sink)
    largest = emit.binary(Binary::Maximum, largest, sink);
  Value exponentials = emit.unary(Unary::Exp, emit.subtract(scores, largest));
  Value total = emit.reduce(Reduction::Sum, exponentials, 3);
  if (sink)
    total =
        emit.add(total, emit.unary(Unary::Exp, emit.subtract(sink, largest)));
  Value weights = emit.binary(Binary::Divide, exponentials, total);
  if (!rowsMayBeEmpty)
    return weights;
  // A row without a key to look at has weights of 0, not NaN.
  Value hidden = emit.binary(Binary::Equal, scores, -infinity);
  Value alive = emit.unary(Unary::Not, emit.reduce(Reduction::All, hidden, 3));
  return emit.select(alive, weights, 0);
}

/// A gain per head, or one for all, beside scores.
static Value asHeadGain(Value gain, TensorEmitter &emit) {
  return emit.split(emit.toF32(gain), 0, {1, Size(gain, 0), 1, 1});
}

/// `alpha I + beta P - gamma C`, with the allowed keys' uniform weights `C`.
static FailureOr<Value> shapeWeights(block::SdpaOp op, Value weights,
                                     Value allowed, TensorEmitter &emit) {
  if (Value beta = op.getBeta())
    weights = emit.multiply(weights, asHeadGain(beta, emit));
  if (Value alpha = op.getAlpha()) {
    FailureOr<Value> queries =
        emitPositions(Size(op.getQuery(), 1), 2, 4, op, emit);
    FailureOr<Value> keys = emitPositions(Size(op.getKey(), 1), 3, 4, op, emit);
    if (failed(queries) || failed(keys))
      return failure();
    Value diagonal = emit.toF32(emit.binary(Binary::Equal, *queries, *keys));
    weights =
        emit.add(weights, emit.multiply(diagonal, asHeadGain(alpha, emit)));
  }
  if (Value gamma = op.getGamma()) {
    Value counted;
    if (allowed) {
      counted = emit.toF32(allowed);
    } else {
      FailureOr<Value> keys =
          emitPositions(Size(op.getKey(), 1), 3, 4, op, emit);
      if (failed(keys))
        return failure();
      counted = emit.toF32(emit.binary(Binary::GreaterEqual, *keys, 0));
    }
    // A row without keys counts none, and divides by one.
    Value total = emit.binary(Binary::Maximum,
                              emit.reduce(Reduction::Sum, counted, 3), 1);
    Value uniform = emit.binary(Binary::Divide, counted, total);
    weights =
        emit.subtract(weights, emit.multiply(uniform, asHeadGain(gamma, emit)));
  }
  return weights;
}

FailureOr<Values> parablock::emitSdpa(block::SdpaOp op, TensorEmitter &emit) {
  for (auto [name, value] :
       {std::pair("past keys", Value(op.getPastKey())),
        std::pair("a cache", Value(op.getPastLengths())),
        std::pair("dropout", Value(op.getSeed())),
        std::pair("a shaw_key table", Value(op.getShawKey())),
        std::pair("a shaw_value table", Value(op.getShawValue())),
        std::pair("slopes", Value(op.getSlopes()))})
    if (value)
      return op.emitOpError() << "has no form at this level with " << name;
  Heads heads = {static_cast<int64_t>(op.getHeads()),
                 static_cast<int64_t>(op.getKvHeads()), Size(op.getQuery(), 0)};
  Value query = splitHeads(op.getQuery(), heads.query, {0, 2, 1, 3}, emit);
  Value key = repeatHeads(splitHeads(op.getKey(), heads.kv, {0, 2, 3, 1}, emit),
                          heads, emit);
  if (getElementTypeOrSelf(query) != getElementTypeOrSelf(key)) {
    query = emit.toF32(query);
    key = emit.toF32(key);
  }
  FailureOr<Value> scores =
      emitScores(op, multiplyHeads(query, key, heads, emit), emit);
  if (failed(scores))
    return failure();
  FailureOr<Value> allowed = emitAllowedKeys(op, emit);
  if (failed(allowed))
    return failure();
  // A bias of -inf hides a key as well. A causal row sees itself; only padding,
  // biases and the ends of packed sequences can hide every key.
  Value shown = *allowed;
  if (Value bias = op.getScoreBias()) {
    Value isFinite = emit.binary(Binary::Greater, emit.toF32(bias),
                                 -std::numeric_limits<double>::infinity());
    shown = shown ? emit.binary(Binary::And, shown, isFinite) : isFinite;
  }
  bool rowsMayBeEmpty =
      op.getLengths() || op.getScoreBias() || op.getCuSeqlens();
  Value sink = op.getSinks() ? asHeadGain(op.getSinks(), emit) : Value();
  FailureOr<Value> weights =
      shapeWeights(op, buildSoftmax(*scores, shown, sink, rowsMayBeEmpty, emit),
                   *allowed, emit);
  if (failed(weights))
    return failure();
  Value value = repeatHeads(
      splitHeads(emit.toF32(op.getValue()), heads.kv, {0, 2, 1, 3}, emit),
      heads, emit);
  Value attended = multiplyHeads(*weights, value, heads, emit);
  Value rows = emit.merge(emit.transpose(attended, {0, 2, 1, 3}), 2, 2);
  return Values{emit.cast(rows, getElement(op))};
}
