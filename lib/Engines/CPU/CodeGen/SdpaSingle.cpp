//===- SdpaSingle.cpp - attention of one query ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaSingle.h"

#include "SdpaScores.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The least score that there is: that of lanes without a key.
static constexpr double kNone = std::numeric_limits<float>::lowest();

/// Sums of so many vectors stay in registers.
static constexpr int64_t kVectorsOfSums = 8;

bool SdpaSingle::takes(block::SdpaOp op) {
  int64_t queries =
      cast<RankedTensorType>(op.getQuery().getType()).getDimSize(1);
  return (ShapedType::isDynamic(queries) || queries == 1) &&
         !op.getRelativeTable() && !op.getShawKey() && !op.getShawValue() &&
         !op.getGamma() && !op.getScoreBias() && !op.getCuSeqlens() &&
         !op.getSeed();
}

SdpaSingle::SdpaSingle(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code), query(sdpa.allocate(sdpa.headSize)),
      sums(sdpa.allocate(sdpa.paddedValues)),
      weights(sdpa.allocate(SdpaFrame::blockKeys + sdpa.code.lanes())) {}

void SdpaSingle::loadQuery(const SdpaHead &head) {
  Value start = code.addI(code.mulI(head.batch, sdpa.heads * sdpa.headSize),
                          code.mulI(head.number, sdpa.headSize));
  Value from = sdpa.getTensor(sdpa.op.getQuery());
  sdpa.forParts(sdpa.headSize, [&](int64_t at, int64_t lanes) {
    code.storeRaw(code.load(from, sdpa.type, code.addI(start, at), lanes),
                  query, code.index(at));
  });
}

/// Writes the product of each key of a block.
void SdpaSingle::multiplyKeys(const SdpaHead &head, const SdpaKeys &keys) {
  code.loop(code.index(0), keys.count, 1, [&](Value row) {
    auto [memory, start] =
        sdpa.findRow(head, code.addI(keys.first, row), sdpa.op.getKey(),
                     sdpa.op.getPastKey(), sdpa.headSize);
    // Two sums, so that an addition need not wait for the one before.
    Value products[2], rest;
    int64_t next = 0;
    sdpa.forParts(sdpa.headSize, [&](int64_t at, int64_t lanes) {
      Value own = code.loadRaw(query, code.f32Type(lanes), code.index(at));
      Value key = code.load(memory, sdpa.type, code.addI(start, at), lanes);
      if (lanes == code.lanes()) {
        Value &sum = products[next ^= 1];
        sum = sum ? code.fma(own, key, sum) : code.mul(own, key);
        return;
      }
      Value part = code.mul(own, key);
      if (lanes > 1)
        part = code.sum(part);
      rest = rest ? code.add(rest, part) : part;
    });
    Value sum;
    for (Value part : products)
      if (part)
        sum = sum ? code.add(sum, part) : part;
    if (sum)
      sum = code.sum(sum);
    if (rest)
      sum = sum ? code.add(sum, rest) : rest;
    code.storeRaw(sum, weights, row);
  });
}

/// The numbers of lanes, from 0 on.
static Value numberLanes(const Code &code) {
  auto numbers =
      llvm::to_vector_of<int32_t>(llvm::seq<int64_t>(0, code.lanes()));
  auto type = VectorType::get(code.lanes(), code.builder.getI32Type());
  return arith::ConstantOp::create(
      code.builder, code.loc,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
}

Values SdpaSingle::forLanes(
    const SdpaKeys &keys, Value initial,
    llvm::function_ref<Value(Value, Value, Value)> body) const {
  Value lanes = numberLanes(code);
  return code.loop(code.index(0), keys.count, code.lanes(), initial,
                   [&](Value at, ValueRange carried) -> Values {
                     Value left = code.splat(
                         arith::TruncIOp::create(code.builder, code.loc,
                                                 code.builder.getI32Type(),
                                                 code.subI(keys.count, at)),
                         code.lanes());
                     return {body(at, code.lessI(lanes, left), carried[0])};
                   });
}

/// Turns products into scores, and gives the largest one of each lane.
Value SdpaSingle::finishScores(const SdpaHead &head, const SdpaKeys &keys,
                               Value slope) {
  Type narrow = code.builder.getI32Type();
  auto spread = [&](Value number) {
    return code.splat(
        arith::TruncIOp::create(code.builder, code.loc, narrow, number),
        code.lanes());
  };
  Value lanes = numberLanes(code);
  ScorePlace place;
  place.position = spread(head.position);
  place.slope = slope;
  if (!head.sequenceBegins.empty())
    place.sequence = head.sequenceBegins.front();
  return forLanes(keys, code.real(sdpa.wide, kNone),
                  [&](Value at, Value isThere, Value largest) -> Value {
                    place.key =
                        code.addI(spread(code.addI(keys.first, at)), lanes);
                    Value product = code.loadRaw(weights, sdpa.wide, at);
                    Value score =
                        createScore(code, sdpa.op.getScores(), product, place);
                    score = code.select(isThere, score, code.f32(kNone));
                    code.storeRaw(score, weights, at);
                    return code.max(largest, score);
                  })
      .front();
}

/// Turns scores into weights, and gives their sum.
Value SdpaSingle::createWeights(const SdpaKeys &keys, Value largest) {
  Value sum = forLanes(keys, code.real(sdpa.wide, 0),
                       [&](Value at, Value isThere, Value before) -> Value {
                         Value score = code.loadRaw(weights, sdpa.wide, at);
                         Value weight = code.exp(code.sub(score, largest));
                         weight = code.select(isThere, weight, code.f32(0));
                         code.storeRaw(weight, weights, at);
                         return code.add(before, weight);
                       })
                  .front();
  return code.sum(sum);
}

/// Brings sums to the new largest score, and adds a block's values to them.
void SdpaSingle::addValues(const SdpaHead &head, const SdpaKeys &keys,
                           Value correction) {
  SmallVector<std::pair<int64_t, int64_t>> parts;
  sdpa.forParts(sdpa.valueSize, [&](int64_t at, int64_t lanes) {
    parts.push_back({at, lanes});
  });
  for (size_t first = 0; first < parts.size(); first += kVectorsOfSums) {
    auto together = ArrayRef(parts).slice(
        first, std::min<size_t>(kVectorsOfSums, parts.size() - first));
    Values before;
    for (auto [at, lanes] : together)
      before.push_back(code.mul(
          code.loadRaw(sums, code.f32Type(lanes), code.index(at)), correction));
    Values after = code.loop(
        code.index(0), keys.count, 1, before,
        [&, together](Value row, ValueRange carried) -> Values {
          auto [memory, start] =
              sdpa.findRow(head, code.addI(keys.first, row), sdpa.op.getValue(),
                           sdpa.op.getPastValue(), sdpa.valueSize);
          Value weight = code.loadRaw(weights, sdpa.narrow, row);
          Values next;
          for (auto [part, sum] : llvm::zip_equal(together, carried))
            next.push_back(
                code.fma(weight,
                         code.load(memory, sdpa.type,
                                   code.addI(start, part.first), part.second),
                         sum));
          return next;
        });
    for (auto [part, sum] : llvm::zip_equal(together, after))
      code.storeRaw(sum, sums, code.index(part.first));
  }
}

void SdpaSingle::storeResult(const SdpaHead &head, Value total) {
  Type type = getElementTypeOrSelf(sdpa.op.getResult().getType());
  Value zero = code.f32(0), one = code.f32(1);
  // No allowed key, no weights.
  Value isSeeing = code.less(zero, total);
  Value beta = sdpa.op.getBeta() ? sdpa.loadGain(head, sdpa.op.getBeta()) : one;
  Value factor = code.select(
      isSeeing, code.div(beta, code.select(isSeeing, total, one)), zero);
  Value alpha, memory, start;
  if (sdpa.op.getAlpha()) {
    alpha = sdpa.loadGain(head, sdpa.op.getAlpha());
    std::tie(memory, start) =
        sdpa.findRow(head, head.position, sdpa.op.getValue(),
                     sdpa.op.getPastValue(), sdpa.valueSize);
  }
  Value to = code.addI(code.mulI(head.batch, sdpa.heads * sdpa.valueSize),
                       code.mulI(head.number, sdpa.valueSize));
  sdpa.forParts(sdpa.valueSize, [&](int64_t at, int64_t lanes) {
    Value x = code.mul(code.loadRaw(sums, code.f32Type(lanes), code.index(at)),
                       factor);
    if (alpha)
      x = code.fma(code.load(memory, sdpa.type, code.addI(start, at), lanes),
                   alpha, x);
    code.store(x, sdpa.getResult(), type, code.addI(to, at));
  });
}

void SdpaSingle::emitHead(const SdpaHead &head) {
  loadQuery(head);
  sdpa.clear(sums, sdpa.paddedValues);
  Value slope = createSlope(sdpa, head);
  Value size = code.index(SdpaFrame::blockKeys);
  Values last = code.loop(
      head.begin, head.end, SdpaFrame::blockKeys,
      {code.real(sdpa.narrow, kNone), code.real(sdpa.narrow, 0)},
      [&](Value first, ValueRange before) -> Values {
        SdpaKeys keys = {first, code.minI(code.subI(head.end, first), size)};
        multiplyKeys(head, keys);
        Value ofLanes = finishScores(head, keys, slope);
        Value own = vector::ReductionOp::create(
            code.builder, code.loc, vector::CombiningKind::MAXNUMF, ofLanes);
        Value largest = code.max(before[0], own);
        Value correction = code.exp(code.sub(before[0], largest));
        Value sum = createWeights(keys, largest);
        addValues(head, keys, correction);
        return {largest, code.fma(before[1], correction, sum)};
      });
  storeResult(head, last[1]);
}
