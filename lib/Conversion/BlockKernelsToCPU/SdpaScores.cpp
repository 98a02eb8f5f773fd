//===- SdpaScores.cpp - computes scores and an online softmax -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaScores.h"

#include "RowsKernel.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

SdpaScores::SdpaScores(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code), op(sdpa.op) {
  if (op.getRelativeTable())
    relatives = sdpa.allocate(SdpaFrame::blockKeys + sdpa.blockQueries);
  if (op.getScoreBias())
    biasStrides = sdpa.createBiasStrides();
}

Value cpugen::createSlope(const SdpaFrame &sdpa, const SdpaHead &head) {
  Value operand;
  if (sdpa.op.getSlopes())
    operand = sdpa.loadGain(head, sdpa.op.getSlopes());
  return parablock::createSlope(
      sdpa.code, sdpa.op.getScores(), sdpa.heads, operand,
      [&](ArrayRef<float> slopes) {
        auto type = RankedTensorType::get(sdpa.heads, sdpa.narrow);
        return sdpa.code.loadRaw(
            sdpa.code.table(DenseElementsAttr::get(type, slopes)), sdpa.narrow,
            head.number);
      });
}

void SdpaScores::prepareHead(const SdpaHead &head) {
  slope = createSlope(sdpa, head);
}

void SdpaScores::prepareKeys(const SdpaHead &head, const SdpaKeys &keys) {
  if (!relatives)
    return;
  Value entries = sdpa.getTensor(op.getRelativeTable());
  Type type = getElementTypeOrSelf(op.getRelativeTable().getType());
  sdpa.forBuckets(head, keys, [&](Value distance, Value bucket) {
    Value at = code.addI(code.mulI(bucket, sdpa.heads), head.number);
    code.storeRaw(code.load(entries, type, at, 1), relatives, distance);
  });
}

Value SdpaScores::loadBias(const SdpaHead &head, Value key, int64_t vector) {
  Value memory = sdpa.getTensor(op.getScoreBias());
  Type type = getElementTypeOrSelf(op.getScoreBias().getType());
  Value start = code.addI(code.addI(code.mulI(head.batch, biasStrides[0]),
                                    code.mulI(head.number, biasStrides[1])),
                          code.mulI(key, biasStrides[3]));
  // Queries are rows of the bias, which are not adjacent.
  Value last = code.addI(head.numQueries, -1);
  Value result = code.real(sdpa.wide, 0);
  for (int64_t lane = 0; lane < code.lanes(); ++lane) {
    Value query =
        code.addI(head.firstQuery,
                  code.minI(code.index(vector * code.lanes() + lane), last));
    Value entry = code.load(
        memory, type, code.addI(start, code.mulI(query, biasStrides[2])), 1);
    result =
        vector::InsertOp::create(code.builder, code.loc, entry, result, lane);
  }
  return result;
}

ScorePlace SdpaScores::findPlace(const SdpaHead &head, const SdpaKeys &keys,
                                 Value key, int64_t vector) {
  ScorePlace place;
  place.position = head.positions[vector];
  place.key = key;
  if (!head.sequenceBegins.empty())
    place.sequence = head.sequenceBegins[vector];
  place.slope = slope;
  if (relatives) {
    Value fromLast =
        code.subI(code.addI(code.addI(keys.first, keys.count), -1), key);
    place.relative = code.loadRaw(relatives, sdpa.wide,
                                  code.addI(fromLast, vector * code.lanes()));
  }
  return place;
}

Value SdpaScores::create(const SdpaHead &head, const SdpaKeys &keys,
                         Value product, Value key, int64_t vector) {
  ScorePlace place = findPlace(head, keys, key, vector);
  if (op.getScoreBias())
    place.bias = loadBias(head, key, vector);
  return createScore(code, op.getScores(), product, place);
}

Value SdpaScores::createCapSlope(const SdpaHead &head, const SdpaKeys &keys,
                                 Value product, Value key, int64_t vector) {
  return parablock::createCapSlope(code, op.getScores(), product,
                                   findPlace(head, keys, key, vector));
}

Values SdpaScores::finish(const SdpaHead &head, const SdpaKeys &keys,
                          Value memory, Value capSlopes, ValueRange before,
                          VisibleFn isVisible) {
  prepareKeys(head, keys);
  return sdpa.forKeys(keys, before, [&](Value row, ValueRange carried) {
    Values next;
    Value key = code.addI(keys.first, row);
    for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
      Value at = sdpa.place(row, v);
      Value product = code.loadRaw(memory, sdpa.wide, at);
      Value score = create(head, keys, product, key, v);
      if (capSlopes)
        code.storeRaw(createCapSlope(head, keys, product, key, v), capSlopes,
                      at);
      if (Value shown = isVisible(key, v))
        score = code.select(shown, score, code.f32(kHiddenScore));
      code.storeRaw(score, memory, at);
      next.push_back(code.max(carried[v], score));
    }
    return next;
  });
}

Value SdpaScores::createWeight(Value score, Value largest) const {
  Value weight = code.exp(code.sub(score, largest));
  // A bias of -inf takes the weight.
  if (op.getScoreBias())
    weight = code.select(code.less(score, code.f32(kHiddenScore)), code.f32(0),
                         weight);
  return weight;
}

Value SdpaScores::isAllowed(const SdpaHead &head, Value key, int64_t vector) {
  return isWithin(code, key, head.visible[vector]);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

SdpaSoftmax::SdpaSoftmax(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code), scores(sdpa), dropout(sdpa) {
  int64_t queries = sdpa.blockQueries;
  weights = sdpa.allocate(SdpaFrame::blockKeys * queries);
  maxima = sdpa.allocate(queries);
  totals = sdpa.allocate(queries);
  corrections = sdpa.allocate(queries);
  if (!sdpa.op.getGamma())
    return;
  marks = sdpa.allocate(SdpaFrame::blockKeys * queries);
  markCounts = sdpa.allocate(queries);
}

void SdpaSoftmax::prepareHead(const SdpaHead &head) {
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value at = code.index(v * code.lanes());
    code.storeRaw(code.real(sdpa.wide, kHiddenScore), maxima, at);
    code.storeRaw(code.real(sdpa.wide, 0), totals, at);
    if (markCounts)
      code.storeRaw(code.real(sdpa.wide, 0), markCounts, at);
  }
  scores.prepareHead(head);
  dropout.prepareHead(head);
}

void SdpaSoftmax::addKeys(const SdpaHead &head, const SdpaKeys &keys) {
  finishScores(head, keys);
  createWeights(head, keys);
}

/// Turns products into scores, and notes the largest ones.
void SdpaSoftmax::finishScores(const SdpaHead &head, const SdpaKeys &keys) {
  Values before;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v)
    before.push_back(
        code.loadRaw(maxima, sdpa.wide, code.index(v * code.lanes())));
  Values largest = scores.finish(
      head, keys, weights, /*capSlopes=*/{}, before,
      [&](Value key, int64_t v) { return scores.isAllowed(head, key, v); });
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value at = code.index(v * code.lanes());
    code.storeRaw(code.exp(code.sub(before[v], largest[v])), corrections, at);
    code.storeRaw(largest[v], maxima, at);
  }
}

/// Turns scores into weights, and adds these to the totals.
void SdpaSoftmax::createWeights(const SdpaHead &head, const SdpaKeys &keys) {
  int64_t vectors = sdpa.shape.vectors;
  Type wide = sdpa.wide;
  Values largest;
  for (int64_t v = 0; v < vectors; ++v)
    largest.push_back(code.loadRaw(maxima, wide, code.index(v * code.lanes())));
  Values initial(vectors * (marks ? 2 : 1), code.real(wide, 0));
  Values added =
      sdpa.forKeys(keys, initial, [&](Value row, ValueRange carried) {
        Values next(carried);
        Value key = code.addI(keys.first, row);
        for (int64_t v = 0; v < vectors; ++v) {
          Value at = sdpa.place(row, v);
          Value score = code.loadRaw(weights, wide, at);
          Value weight = scores.createWeight(score, largest[v]);
          Value isAllowed = scores.isAllowed(head, key, v);
          auto hide = [&](Value number) {
            return isAllowed ? code.select(isAllowed, number, code.f32(0))
                             : number;
          };
          weight = hide(weight);
          code.storeRaw(dropout.keep(weight, key, v), weights, at);
          next[v] = code.add(carried[v], weight);
          if (!marks)
            continue;
          // Keys with a bias of -inf stay in the mean.
          Value mark = hide(code.real(wide, 1));
          code.storeRaw(mark, marks, at);
          next[vectors + v] = code.add(carried[vectors + v], mark);
        }
        return next;
      });
  for (int64_t v = 0; v < vectors; ++v) {
    Value at = code.index(v * code.lanes());
    Value total = code.fma(code.loadRaw(totals, wide, at),
                           code.loadRaw(corrections, wide, at), added[v]);
    code.storeRaw(total, totals, at);
    if (marks)
      code.storeRaw(
          code.add(code.loadRaw(markCounts, wide, at), added[vectors + v]),
          markCounts, at);
  }
}
