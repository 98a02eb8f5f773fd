//===- SdpaSingle.cpp - attention of one query ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaSingle.h"

#include "SdpaScores.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Sums of so many vectors stay in registers.
static constexpr int64_t kVectorsOfSums = 8;

/// Rows of a head lie apart, and are fetched so many keys ahead: the processor
/// by itself fetches what lies together.
static constexpr int64_t kKeysAhead = 48;

bool SdpaSingle::takes(block::AttentionOpInterface op) {
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

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Two elements of 16 bits become f32 by a shift and a mask where they lie, and
/// the even ones of a register and the odd ones are a vector each.
SmallVector<SdpaSingle::Part> SdpaSingle::takeApart(int64_t size) const {
  int64_t lanes = code.lanes(), done = 0;
  SmallVector<Part> parts;
  if (sdpa.type.isBF16() && size % 2 == 0)
    for (; done + 2 * lanes <= size; done += 2 * lanes)
      parts.push_back({done, lanes, /*inPairs=*/true});
  sdpa.forParts(size - done, [&](int64_t at, int64_t own) {
    parts.push_back({done + at, own, /*inPairs=*/false});
  });
  return parts;
}

Value SdpaSingle::loadPairs(const Part &part, Value memory, Value row) const {
  return code.loadRaw(memory, code.typed(code.builder.getI32Type(), part.lanes),
                      code.divI(code.addI(row, part.at), 2));
}

Values SdpaSingle::load(const Part &part, Value memory, Value row) const {
  if (part.inPairs)
    return takePairsApart(code, loadPairs(part, memory, row), sdpa.type);
  return {code.load(memory, sdpa.type, code.addI(row, part.at), part.lanes)};
}

/// Fetches a row of `size` elements, and where `distance` is from one to the
/// next.
void SdpaSingle::prefetch(Value memory, Value row, int64_t size,
                          int64_t distance) const {
  if (size == distance || sdpa.pages)
    return;
  int64_t perLine = kLineBytes * 8 / sdpa.type.getIntOrFloatBitWidth();
  for (int64_t at = 0; at < size; at += perLine)
    code.prefetch(code.address(
        memory, code.addI(row, kKeysAhead * distance + at), sdpa.type));
}

bool SdpaSingle::multipliesPairs(const Part &part) const {
  return part.inPairs && code.target.has(CpuPath::BF16Dot);
}

void SdpaSingle::loadQuery(const SdpaHead &head) {
  Value start = code.addI(code.mulI(head.batch, sdpa.heads * sdpa.headSize),
                          code.mulI(head.number, sdpa.headSize));
  Value from = sdpa.getTensor(sdpa.op.getQuery());
  for (const Part &part : takeApart(sdpa.headSize))
    if (multipliesPairs(part))
      code.storeRaw(loadPairs(part, from, start), query, part.find(code, 0));
    else
      for (auto [number, own] : llvm::enumerate(load(part, from, start)))
        code.storeRaw(own, query, part.find(code, number));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Multiplies a key and the query, as a register of sums that are to be added.
Value SdpaSingle::multiply(Value memory, Value row) const {
  // Two sums, so that an addition need not wait for the one before.
  Value products[2];
  int64_t next = 0;
  auto loadQuery = [&](const Part &part, int64_t number, Type element) {
    return code.loadRaw(query, code.typed(element, part.lanes),
                        part.find(code, number));
  };
  for (const Part &part : takeApart(sdpa.headSize)) {
    if (multipliesPairs(part)) {
      auto asPairs = [&](Value pairs) {
        return LLVM::BitcastOp::create(
            code.builder, code.loc,
            code.typed(code.builder.getBF16Type(), 2 * part.lanes), pairs);
      };
      Value &sum = products[next ^= 1];
      sum = addPairProducts(
          code, sum ? sum : code.real(sdpa.wide, 0),
          asPairs(loadQuery(part, 0, code.builder.getI32Type())),
          asPairs(loadPairs(part, memory, row)));
      continue;
    }
    for (auto [number, key] : llvm::enumerate(load(part, memory, row))) {
      Value own = loadQuery(part, number, code.builder.getF32Type());
      Value &sum = products[next ^= 1];
      if (part.lanes == code.lanes()) {
        sum = sum ? code.fma(own, key, sum) : code.mul(own, key);
        continue;
      }
      Value few = widen(code.mul(own, key));
      sum = sum ? code.add(sum, few) : few;
    }
  }
  return products[0] ? code.add(products[0], products[1]) : products[1];
}

/// Fills a vector with zeros behind its lanes.
Value SdpaSingle::widen(Value few) const {
  Value zeros = code.real(sdpa.wide, 0);
  if (code.lanesOf(few) == 1)
    return vector::InsertOp::create(code.builder, code.loc, few, zeros,
                                    ArrayRef<int64_t>{0});
  return vector::InsertStridedSliceOp::create(code.builder, code.loc, few,
                                              zeros, ArrayRef<int64_t>{0},
                                              ArrayRef<int64_t>{1});
}

/// Adds neighbours within two registers of `keys` / 2 keys each: parts of 128
/// bits first, which hold four keys then, and whole parts after that.
Value SdpaSingle::addNeighbours(Value first, Value second, int64_t keys) const {
  int64_t lanes = code.lanes();
  constexpr int64_t part = 4;
  auto take = [&](int64_t side) -> Value {
    SmallVector<int64_t> order;
    auto append = [&](bool isSecond, int64_t lane) {
      order.push_back((isSecond ? lanes : 0) + lane);
    };
    if (keys <= part)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t inPart = lane % part, own = keys / 2;
        bool isSecond = own == 1 ? inPart % 2 : inPart / 2;
        int64_t from = own == 1 ? inPart / 2 + side * 2 : inPart % 2 + side * 2;
        append(isSecond, lane - inPart + from);
      }
    else
      for (int64_t isSecond = 0; isSecond < 2; ++isSecond)
        for (int64_t from = side * part; from < lanes; from += 2 * part)
          for (int64_t lane = 0; lane < part; ++lane)
            append(isSecond != 0, from + lane);
    return vector::ShuffleOp::create(code.builder, code.loc, first, second,
                                     order);
  };
  return code.add(take(0), take(1));
}

/// Gives the products of `count` keys that lie one behind the other, each in a
/// lane: the same number for a key wherever it lies among them.
Value SdpaSingle::multiplyTogether(Value memory, Value row, int64_t count,
                                   int64_t distance) const {
  if (count == 1) {
    prefetch(memory, row, sdpa.headSize, distance);
    return multiply(memory, row);
  }
  int64_t half = count / 2;
  Value first = multiplyTogether(memory, row, half, distance);
  Value second =
      multiplyTogether(memory, code.addI(row, half * distance), half, distance);
  return addNeighbours(first, second, count);
}

/// Writes the product of each key of a block.
void SdpaSingle::multiplyKeys(const SdpaHead &head, const SdpaKeys &keys) {
  int64_t lanes = code.lanes(), distance = sdpa.keyHeads * sdpa.headSize;
  sdpa.forRuns(head, keys, {}, [&](const SdpaKeys &run, ValueRange) -> Values {
    auto [memory, start] = sdpa.findRow(head, run.first, sdpa.op.getKey(),
                                        sdpa.op.getPastKey(), sdpa.headSize);
    Value to = code.subI(run.first, keys.first);
    Value whole = code.mulI(code.divI(run.count, lanes), lanes);
    auto findRow = [&, start = start](Value key) {
      return code.addI(start, code.mulI(key, distance));
    };
    code.loop(code.index(0), whole, lanes, [&, memory = memory](Value key) {
      code.storeRaw(multiplyTogether(memory, findRow(key), lanes, distance),
                    weights, code.addI(to, key));
    });
    code.loop(whole, run.count, 1, [&, memory = memory](Value key) {
      Value sum = multiply(memory, findRow(key));
      for (int64_t together = 2; together <= lanes; together *= 2)
        sum = addNeighbours(sum, sum, together);
      code.storeRaw(vector::ExtractOp::create(code.builder, code.loc, sum, 0),
                    weights, code.addI(to, key));
    });
    return {};
  });
}

Values SdpaSingle::forLanes(
    const SdpaKeys &keys, Value initial,
    llvm::function_ref<Value(Value, Value, Value)> body) const {
  Value lanes = sdpa.numberLanes(0);
  return code.loop(code.index(0), keys.count, code.lanes(), initial,
                   [&](Value at, ValueRange carried) -> Values {
                     Value left = sdpa.spread(code.subI(keys.count, at));
                     return {body(at, code.lessI(lanes, left), carried[0])};
                   });
}

/// Turns products into scores, and gives the largest one of each lane.
Value SdpaSingle::finishScores(const SdpaHead &head, const SdpaKeys &keys,
                               Value slope) {
  Value lanes = sdpa.numberLanes(0);
  ScorePlace place;
  place.position = sdpa.spread(head.position);
  place.slope = slope;
  if (!head.sequenceBegins.empty())
    place.sequence = head.sequenceBegins.front();
  return forLanes(keys, code.real(sdpa.wide, kHiddenScore),
                  [&](Value at, Value isThere, Value largest) -> Value {
                    place.key = code.addI(
                        sdpa.spread(code.addI(keys.first, at)), lanes);
                    Value product = code.loadRaw(weights, sdpa.wide, at);
                    Value score =
                        createScore(code, sdpa.op.getScores(), product, place);
                    score = code.select(isThere, score, code.f32(kHiddenScore));
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
  SmallVector<Part> all = takeApart(sdpa.valueSize);
  for (ArrayRef<Part> rest = all; !rest.empty();) {
    int64_t vectors = 0;
    ArrayRef<Part> together = rest.take_while([&](const Part &part) {
      return (vectors += part.count()) <= kVectorsOfSums;
    });
    rest = rest.drop_front(together.size());
    addParts(head, keys, correction, together);
  }
}

void SdpaSingle::addParts(const SdpaHead &head, const SdpaKeys &keys,
                          Value correction, ArrayRef<Part> parts) {
  Values before;
  forVectors(parts, [&](const Part &part, Value at) {
    before.push_back(
        code.mul(code.loadRaw(sums, code.f32Type(part.lanes), at), correction));
  });
  int64_t distance = sdpa.keyHeads * sdpa.valueSize;
  auto addRun = [&](const SdpaKeys &run, ValueRange carried) -> Values {
    auto [memory, start] = sdpa.findRow(head, run.first, sdpa.op.getValue(),
                                        sdpa.op.getPastValue(), sdpa.valueSize);
    Value from = code.subI(run.first, keys.first);
    auto addValue = [&, memory = memory, start = start](
                        Value key, ValueRange sumsOfKeys) -> Values {
      Value weight = code.loadRaw(weights, sdpa.narrow, code.addI(from, key));
      Value row = code.addI(start, code.mulI(key, distance));
      if (parts.front().at == 0)
        prefetch(memory, row, sdpa.valueSize, distance);
      Values next;
      for (const Part &part : parts)
        for (Value value : load(part, memory, row))
          next.push_back(code.fma(weight, value, sumsOfKeys[next.size()]));
      return next;
    };
    return code.loop(code.index(0), run.count, 1, carried, addValue);
  };
  Values after = sdpa.forRuns(head, keys, before, addRun);
  size_t number = 0;
  forVectors(parts, [&](const Part &, Value at) {
    code.storeRaw(after[number++], sums, at);
  });
}

void SdpaSingle::forVectors(
    ArrayRef<Part> parts,
    llvm::function_ref<void(const Part &part, Value at)> body) const {
  for (const Part &part : parts)
    for (int64_t number = 0; number < part.count(); ++number)
      body(part, part.find(code, number));
}

/// Brings even and odd elements back in order.
static Values putTogether(const Code &code, ValueRange apart) {
  if (apart.size() == 1)
    return Values(apart);
  int64_t lanes = code.lanes();
  Values vectors;
  for (int64_t half = 0; half < 2; ++half) {
    SmallVector<int64_t> order;
    for (int64_t pair = 0; pair < lanes / 2; ++pair)
      for (int64_t odd = 0; odd < 2; ++odd)
        order.push_back(odd * lanes + half * lanes / 2 + pair);
    vectors.push_back(vector::ShuffleOp::create(code.builder, code.loc,
                                                apart[0], apart[1], order));
  }
  return vectors;
}

void SdpaSingle::storeResult(const SdpaHead &head, Value largest, Value total) {
  Type type = getElementTypeOrSelf(sdpa.op->getResult(0).getType());
  Value beta =
      sdpa.op.getBeta() ? sdpa.loadGain(head, sdpa.op.getBeta()) : code.f32(1);
  Value sink =
      sdpa.op.getSinks() ? sdpa.loadGain(head, sdpa.op.getSinks()) : Value();
  Value factor = createFactor(code, beta, sink, largest, total);
  Value alpha, memory, start;
  if (sdpa.op.getAlpha()) {
    alpha = sdpa.loadGain(head, sdpa.op.getAlpha());
    std::tie(memory, start) =
        sdpa.findRow(head, head.position, sdpa.op.getValue(),
                     sdpa.op.getPastValue(), sdpa.valueSize);
  }
  Value to = code.addI(code.mulI(head.batch, sdpa.heads * sdpa.valueSize),
                       code.mulI(head.number, sdpa.valueSize));
  for (const Part &part : takeApart(sdpa.valueSize)) {
    Values results;
    forVectors(part, [&](const Part &, Value at) {
      results.push_back(
          code.mul(code.loadRaw(sums, code.f32Type(part.lanes), at), factor));
    });
    if (alpha)
      for (auto [result, value] :
           llvm::zip_equal(results, load(part, memory, start)))
        result = code.fma(value, alpha, result);
    for (auto [number, result] : llvm::enumerate(putTogether(code, results)))
      code.store(result, sdpa.getResult(), type,
                 code.addI(to, part.find(code, number)));
  }
}

void SdpaSingle::emitHead(const SdpaHead &head) {
  loadQuery(head);
  sdpa.clear(sums, sdpa.paddedValues);
  Value slope = createSlope(sdpa, head);
  Values last = sdpa.forBlocks(
      head, {code.real(sdpa.narrow, kHiddenScore), code.real(sdpa.narrow, 0)},
      [&](const SdpaKeys &keys, ValueRange before) -> Values {
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
  storeResult(head, last[0], last[1]);
}
