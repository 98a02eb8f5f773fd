//===- ScorePipeline.cpp - from products of keys to scores ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/ScorePipeline.h"

#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Dialect/Block/IntegerLanes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::lanes;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value parablock::createTableRow(const RowCode &code, Value distance,
                                int64_t reach) {
  Value bounded = combine<arith::MinSIOp>(
      code, combine<arith::MaxSIOp>(code, distance, -reach), reach);
  return combine<arith::AddIOp>(code, bounded, reach);
}

//===----------------------------------------------------------------------===//
// Allowed keys
//===----------------------------------------------------------------------===//

KeyRange parablock::limitKeys(const RowCode &code, block::ScoresAttr form,
                              Value position, KeyRange keys) {
  auto limitEnd = [&](Value end) {
    keys.end = keys.end ? combine<arith::MinSIOp>(code, keys.end, end) : end;
  };
  Value next = combine<arith::AddIOp>(code, position, 1);
  if (form.getCausal())
    limitEnd(next);
  if (std::optional<int64_t> window = form.getWindow()) {
    // No sequence is longer than this, and sums stay within 32 bits.
    int64_t reach = std::min<int64_t>(*window, 1 << 30);
    Value begin = combine<arith::SubIOp>(code, next, reach);
    keys.begin =
        keys.begin ? combine<arith::MaxSIOp>(code, keys.begin, begin) : begin;
    if (!form.getCausal())
      limitEnd(combine<arith::AddIOp>(code, position, reach));
  }
  return keys;
}

Value parablock::isWithin(const RowCode &code, Value key,
                          const KeyRange &keys) {
  Value result;
  if (keys.begin)
    result = compare(code, arith::CmpIPredicate::sge, key, keys.begin);
  if (keys.end) {
    Value isBefore = compare(code, arith::CmpIPredicate::slt, key, keys.end);
    result = result ? combine<arith::AndIOp>(code, result, isBefore) : isBefore;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value parablock::createSlope(const RowCode &code, block::ScoresAttr form,
                             int64_t heads, Value operand,
                             llvm::function_ref<Value(ArrayRef<float>)> load) {
  if (!form.getAlibiMax())
    return Value();
  if (!operand)
    return load(llvm::to_vector_of<float>(computeAlibiSlopes(heads, form)));
  Type type = form.getAlibiType();
  return type ? code.round(operand, type) : operand;
}

/// ALiBi's bias and the table's entry; null for none.
static Value createBias(const RowCode &code, block::ScoresAttr form,
                        const ScorePlace &place) {
  Value bias;
  if (Type type = form.getAlibiType()) {
    // Not relative to the query: what is rounded counts keys from the first.
    Value number = place.sequence
                       ? combine<arith::SubIOp>(code, place.key, place.sequence)
                       : place.key;
    number = code.round(code.toF32(number), type);
    bias = code.round(code.mul(place.slope, number), type);
  } else if (place.slope) {
    // Minus the slope times |i - j|. Keys behind a causal query have no weight,
    // whatever is added to them.
    Value first = place.key, second = place.position;
    if (!form.getCausal()) {
      first = combine<arith::MinSIOp>(code, place.position, place.key);
      second = combine<arith::MaxSIOp>(code, place.position, place.key);
    }
    Value distance = combine<arith::SubIOp>(code, first, second);
    bias = code.mul(place.slope, code.toF32(distance));
  }
  if (!place.relative)
    return bias;
  return bias ? code.add(bias, place.relative) : place.relative;
}

Value parablock::orderScore(const ElementCode &code, block::ScoresAttr form,
                            Value product, Value bias) {
  auto addBias = [&](Value score) {
    return bias ? code.add(score, bias) : score;
  };
  auto scale = [&](Value score) {
    return code.scale(score, form.getScaleValue());
  };
  auto cap = [&](Value score) {
    if (!form.getSoftcap())
      return score;
    Value limit = code.f32(form.getSoftcap().getValueAsDouble());
    return code.mul(code.tanh(code.div(score, limit)), limit);
  };
  switch (form.getOrder()) {
  case block::ScoreOrder::ScaleBiasCap:
    return cap(addBias(scale(product)));
  case block::ScoreOrder::BiasScaleCap:
    return cap(scale(addBias(product)));
  case block::ScoreOrder::ScaleCapBias:
    return addBias(cap(scale(product)));
  }
  llvm_unreachable("every order has its case");
}

Value parablock::createScore(const RowCode &code, block::ScoresAttr form,
                             Value product, const ScorePlace &place) {
  Value score = orderScore(code, form, product, createBias(code, form, place));
  return place.bias ? code.add(score, place.bias) : score;
}

SinkShare parablock::addSink(const ElementCode &code, Value sink, Value largest,
                             Value total) {
  Value most = code.max(largest, sink);
  SinkShare share;
  share.scale = code.exp(code.sub(largest, most));
  share.sink = code.exp(code.sub(sink, most));
  share.total = code.fma(total, share.scale, share.sink);
  return share;
}

Value parablock::createFactor(const RowCode &code, Value gain, Value sink,
                              Value largest, Value total) {
  if (sink) {
    SinkShare share = addSink(code, sink, largest, total);
    gain = code.mul(gain, share.scale);
    total = share.total;
  }
  // A total is never negative, so this keeps one of 0 or NaN.
  return code.select(code.less(code.f32(0), total), code.div(gain, total),
                     total);
}

Value parablock::createCapSlope(const RowCode &code, block::ScoresAttr form,
                                Value product, const ScorePlace &place) {
  bool capsBias = form.getOrder() != block::ScoreOrder::ScaleCapBias;
  Value capped = orderScore(code, form, product,
                            capsBias ? createBias(code, form, place) : Value());
  Value share =
      code.div(capped, code.f32(form.getSoftcap().getValueAsDouble()));
  return code.sub(code.f32(1), code.mul(share, share));
}
