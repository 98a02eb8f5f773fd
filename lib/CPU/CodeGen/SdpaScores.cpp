//===- SdpaScores.cpp - from products of keys to weights ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Analysis/SdpaLimits.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The score of a key that a query may not look at: the least that there is.
/// Weights of such keys are 0 whatever the other scores are.
static constexpr double kHidden = std::numeric_limits<float>::lowest();

LogicalResult cpugen::checkSdpa(block::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (!llvm::hasSingleElement(body.without_terminator()))
    return kernel.emitError("no CPU code for steps beside block.sdpa in a "
                            "kernel of kind 'sdpa'");
  auto op = cast<block::SdpaOp>(body.front());
  for (Value operand : op->getOperands())
    if (!isa<BlockArgument>(operand))
      return op.emitError("no CPU code for attention to what its own kernel "
                          "computes");
  return checkSdpaLimits(op, "CPU");
}

Values
SdpaBuilder::forKeys(const Keys &keys, ValueRange initial,
                     llvm::function_ref<Values(Value, ValueRange)> body) {
  return code.loop(code.index(0), keys.count, 1, initial, body);
}

void SdpaBuilder::prepareScores(const Head &head) {
  Type wide = code.f32Type(code.lanes());
  for (int64_t v = 0; v < shape.vectors; ++v) {
    Value at = code.index(v * code.lanes());
    code.storeRaw(code.real(wide, kHidden), maxima, at);
    code.storeRaw(code.real(wide, 0), totals, at);
    if (markCounts)
      code.storeRaw(code.real(wide, 0), markCounts, at);
  }
  block::ScoresAttr form = op.getScores();
  if (op.getSlopes()) {
    slope = gain(head, op.getSlopes());
  } else if (form.getAlibiMax()) {
    auto slopes = llvm::to_vector_of<float>(computeAlibiSlopes(heads, form));
    auto tableType = RankedTensorType::get(heads, code.f32Type(1));
    slope = code.loadRaw(
        code.table(DenseElementsAttr::get(tableType, ArrayRef<float>(slopes))),
        code.f32Type(1), head.number);
  }
  if (Type rounded = form.getAlibiType())
    slope = code.round(slope, rounded);
  prepareShaw(head);
  prepareScoreBias();
}

/// Entries of the relative table for all distances that the block of keys has,
/// from its last key and the first query on.
void SdpaBuilder::loadBiases(const Head &head, const Keys &keys) {
  if (!biases)
    return;
  Value table = op.getRelativeTable();
  auto tableType = cast<RankedTensorType>(table.getType());
  SmallVector<int64_t> numbers =
      computeBuckets(*op.getBuckets(), tableType.getDimSize(0));
  int64_t reach = static_cast<int64_t>(numbers.size()) / 2;
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    code.builder.getI64Type());
  Value buckets =
      code.table(DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
  Value last = code.addI(code.addI(keys.first, keys.count), -1);
  Value lowest = code.subI(head.position, last);
  Value entries = pointer(table);
  code.loop(
      code.index(0), code.addI(keys.count, blockQueries - 1), 1, [&](Value at) {
        Value distance = code.addI(lowest, at);
        distance = code.minI(code.maxI(distance, code.index(-reach)),
                             code.index(reach));
        Value bucket = code.loadI64(buckets, code.addI(distance, reach));
        Value entry =
            code.load(entries, tableType.getElementType(),
                      code.addI(code.mulI(bucket, heads), head.number), 1);
        code.storeRaw(entry, biases, at);
      });
}

/// Of the queries in a vector, as i32.
Value SdpaBuilder::positions(const Head &head, int64_t vector) {
  Type i32 = code.builder.getI32Type();
  SmallVector<int32_t> offsets;
  for (int64_t lane = 0; lane < code.lanes(); ++lane)
    offsets.push_back(static_cast<int32_t>(vector * code.lanes() + lane));
  auto vectorType = cast<VectorType>(code.typed(i32, code.lanes()));
  Value lanes = arith::ConstantOp::create(
      code.builder, code.loc,
      DenseElementsAttr::get(vectorType, ArrayRef<int32_t>(offsets)));
  Value first =
      arith::TruncIOp::create(code.builder, code.loc, i32, head.position);
  return arith::AddIOp::create(code.builder, code.loc, lanes,
                               code.splat(first, code.lanes()));
}

/// As i32, for all lanes.
Value SdpaBuilder::splatKey(Value key) {
  return code.splat(arith::TruncIOp::create(code.builder, code.loc,
                                            code.builder.getI32Type(), key),
                    code.lanes());
}

Value SdpaBuilder::allowed(const Head &head, Value key, int64_t vector) {
  block::ScoresAttr form = op.getScores();
  std::optional<int64_t> window = form.getWindow();
  Value result;
  auto demand = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value holds = code.compareI(predicate, a, b);
    result = result ? code.builder.createOrFold<arith::AndIOp>(code.loc, result,
                                                               holds)
                    : holds;
  };
  if (form.getCausal() || window) {
    Value distance = arith::SubIOp::create(
        code.builder, code.loc, positions(head, vector), splatKey(key));
    auto limit = [&](int64_t keys) {
      return code.integer(distance.getType(), keys);
    };
    int64_t reach = std::min<int64_t>(window.value_or(0), 1 << 30);
    if (form.getCausal())
      demand(arith::CmpIPredicate::sge, distance, limit(0));
    else
      demand(arith::CmpIPredicate::sgt, distance, limit(-reach));
    if (window)
      demand(arith::CmpIPredicate::slt, distance, limit(reach));
  }
  if (!head.sequenceBegins.empty()) {
    Value place = splatKey(key);
    demand(arith::CmpIPredicate::sge, place, head.sequenceBegins[vector]);
    demand(arith::CmpIPredicate::slt, place, head.sequenceEnds[vector]);
  }
  return result;
}

Value SdpaBuilder::biasOf(const Head &head, const Keys &keys, Value key,
                          int64_t vector) {
  Value bias;
  Type rounded = op.getScores().getAlibiType();
  if (rounded) {
    // Not relative to the query: what is rounded counts keys from the first.
    Value place = key;
    if (!head.sequenceBegins.empty())
      place = arith::SubIOp::create(code.builder, code.loc, splatKey(key),
                                    head.sequenceBegins[vector]);
    bias = code.round(code.mul(slope, code.toF32(place)), rounded);
  } else if (slope) {
    Value distance = code.toF32(arith::SubIOp::create(
        code.builder, code.loc, positions(head, vector), splatKey(key)));
    distance = math::AbsFOp::create(code.builder, code.loc, distance);
    bias = code.neg(code.mul(slope, distance));
  }
  if (biases) {
    Value fromLast =
        code.subI(code.addI(code.addI(keys.first, keys.count), -1), key);
    Value entries = code.loadRaw(biases, code.f32Type(code.lanes()),
                                 code.addI(fromLast, vector * code.lanes()));
    bias = bias ? code.add(bias, entries) : entries;
  }
  return bias;
}

Value SdpaBuilder::finishScore(const Head &head, const Keys &keys, Value score,
                               Value key, int64_t vector) {
  block::ScoresAttr form = op.getScores();
  Value bias = biasOf(head, keys, key, vector);
  auto addBias = [&](Value x) { return bias ? code.add(x, bias) : x; };
  auto scale = [&](Value x) { return code.mul(x, form.getScaleValue()); };
  auto cap = [&](Value x) {
    if (!form.getSoftcap())
      return x;
    Value limit = code.f32(form.getSoftcap().getValueAsDouble());
    return code.mul(limit, code.tanh(code.div(x, limit)));
  };
  switch (form.getOrder()) {
  case block::ScoreOrder::ScaleBiasCap:
    return cap(addBias(scale(score)));
  case block::ScoreOrder::BiasScaleCap:
    return cap(scale(addBias(score)));
  case block::ScoreOrder::ScaleCapBias:
    return addBias(cap(scale(score)));
  }
  llvm_unreachable("every order has its case");
}

void SdpaBuilder::finishScores(const Head &head, const Keys &keys) {
  loadBiases(head, keys);
  addShawScores(head, keys);
  Type wide = code.f32Type(code.lanes());
  auto vectorAt = [&](Value row, int64_t v) {
    return code.addI(code.mulI(row, blockQueries), v * code.lanes());
  };
  Values before;
  for (int64_t v = 0; v < shape.vectors; ++v)
    before.push_back(code.loadRaw(maxima, wide, code.index(v * code.lanes())));
  Values largest = forKeys(keys, before, [&](Value row, ValueRange carried) {
    Values next;
    Value key = code.addI(keys.first, row);
    for (int64_t v = 0; v < shape.vectors; ++v) {
      Value at = vectorAt(row, v);
      Value score =
          finishScore(head, keys, code.loadRaw(scores, wide, at), key, v);
      if (op.getScoreBias())
        score = code.add(score, scoreBiasOf(head, key, v));
      if (Value isAllowed = allowed(head, key, v))
        score = code.select(isAllowed, score, code.f32(kHidden));
      code.storeRaw(score, scores, at);
      next.push_back(code.max(carried[v], score));
    }
    return next;
  });
  for (int64_t v = 0; v < shape.vectors; ++v) {
    Value at = code.index(v * code.lanes());
    code.storeRaw(code.exp(code.sub(before[v], largest[v])), corrections, at);
    code.storeRaw(largest[v], maxima, at);
  }
  turnIntoWeights(head, keys, largest);
  addShawWeights(head, keys);
}

void SdpaBuilder::turnIntoWeights(const Head &head, const Keys &keys,
                                  Values largest) {
  Type wide = code.f32Type(code.lanes());
  Values initial(shape.vectors * (marks ? 2 : 1), code.real(wide, 0));
  Values added = forKeys(keys, initial, [&](Value row, ValueRange carried) {
    Values next(carried);
    Value key = code.addI(keys.first, row);
    for (int64_t v = 0; v < shape.vectors; ++v) {
      Value at = code.addI(code.mulI(row, blockQueries), v * code.lanes());
      Value score = code.loadRaw(scores, wide, at);
      Value weight = code.exp(code.sub(score, largest[v]));
      // A bias of -inf takes the weight, but stays in the mean of gamma.
      if (op.getScoreBias())
        weight = code.select(code.less(score, code.f32(kHidden)), code.f32(0),
                             weight);
      Value isAllowed = allowed(head, key, v);
      if (isAllowed)
        weight = code.select(isAllowed, weight, code.f32(0));
      code.storeRaw(weight, scores, at);
      next[v] = code.add(carried[v], weight);
      if (!marks)
        continue;
      Value mark = code.real(wide, 1);
      if (isAllowed)
        mark = code.select(isAllowed, mark, code.f32(0));
      code.storeRaw(mark, marks, at);
      next[shape.vectors + v] = code.add(carried[shape.vectors + v], mark);
    }
    return next;
  });
  for (int64_t v = 0; v < shape.vectors; ++v) {
    Value at = code.index(v * code.lanes());
    Value total = code.fma(code.loadRaw(totals, wide, at),
                           code.loadRaw(corrections, wide, at), added[v]);
    code.storeRaw(total, totals, at);
    if (marks)
      code.storeRaw(code.add(code.loadRaw(markCounts, wide, at),
                             added[shape.vectors + v]),
                    markCounts, at);
  }
}
