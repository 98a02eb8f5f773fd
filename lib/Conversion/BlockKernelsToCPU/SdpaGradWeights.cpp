//===- SdpaGradWeights.cpp - recomputes weights and their gradients -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradWeights.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static Value isZero(const Code &code, Value number) {
  return arith::CmpFOp::create(code.builder, code.loc,
                               arith::CmpFPredicate::OEQ, number,
                               code.real(number.getType(), 0));
}

SdpaGradWeights::SdpaGradWeights(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code), scores(sdpa), dropout(sdpa) {
  for (Value *memory : {&maxima, &factors, &means})
    *memory = sdpa.allocate(sdpa.blockQueries);
  if (sdpa.op.getGamma())
    for (Value *memory : {&counts, &pullSums})
      *memory = sdpa.allocate(sdpa.blockQueries);
  if (sdpa.op.getSinks())
    sinkPulls = sdpa.allocate(sdpa.blockQueries);
}

Value SdpaGradWeights::loadVector(Value memory, int64_t vector) const {
  return code.loadRaw(memory, sdpa.wide, code.index(vector * code.lanes()));
}

void SdpaGradWeights::storeVector(Value value, Value memory,
                                  int64_t vector) const {
  code.storeRaw(value, memory, code.index(vector * code.lanes()));
}

void SdpaGradWeights::addToVectors(ValueRange own, ArrayRef<Value> memories) {
  int64_t vectors = sdpa.shape.vectors;
  for (auto [number, sum] : llvm::enumerate(own)) {
    auto v = static_cast<int64_t>(number) % vectors;
    Value memory = memories[number / vectors];
    storeVector(code.add(loadVector(memory, v), sum), memory, v);
  }
}

Value SdpaGradWeights::isVisible(const SdpaHead &head, Value key,
                                 int64_t vector) {
  Value isAllowed = scores.isAllowed(head, key, vector);
  if (!isAllowed)
    return isThere[vector];
  return arith::AndIOp::create(code.builder, code.loc, isAllowed,
                               isThere[vector]);
}

void SdpaGradWeights::prepareHead(const SdpaHead &head) {
  scores.prepareHead(head);
  dropout.prepareHead(head);
  Value end = sdpa.spread(code.addI(head.position, head.numQueries));
  isThere.clear();
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    isThere.push_back(code.lessI(head.positions[v], end));
    storeVector(code.real(sdpa.wide, kHiddenScore), maxima, v);
    for (Value memory : {factors, means, counts, pullSums})
      if (memory)
        storeVector(code.real(sdpa.wide, 0), memory, v);
  }
  beta = sdpa.op.getBeta() ? sdpa.loadGain(head, sdpa.op.getBeta()) : Value();
  gamma =
      sdpa.op.getGamma() ? sdpa.loadGain(head, sdpa.op.getGamma()) : Value();
  sink = sinkPulls ? sdpa.loadGain(head, sdpa.op.getSinks()) : Value();
}

void SdpaGradWeights::addMeans(const SdpaHead &head, const SdpaKeys &keys,
                               const GradRows &rows) {
  if (!counts)
    return;
  int64_t vectors = sdpa.shape.vectors;
  Values own = sdpa.forKeys(
      keys, Values(2 * vectors, code.real(sdpa.wide, 0)),
      [&](Value row, ValueRange sums) -> Values {
        Values next(sums);
        for (int64_t v = 0; v < vectors; ++v) {
          Value isMarked = isVisible(head, code.addI(keys.first, row), v);
          Value pull = code.loadRaw(rows.pulls, sdpa.wide, sdpa.place(row, v));
          next[v] = code.add(sums[v],
                             code.select(isMarked, code.f32(1), code.f32(0)));
          next[vectors + v] = code.add(
              sums[vectors + v], code.select(isMarked, pull, code.f32(0)));
        }
        return next;
      });
  addToVectors(own, {counts, pullSums});
}

void SdpaGradWeights::createScores(const SdpaHead &head, const SdpaKeys &keys,
                                   const GradRows &rows) {
  Values before;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v)
    before.push_back(loadVector(maxima, v));
  Values largest = scores.finish(
      head, keys, rows.weights, rows.capSlopes, before,
      [&](Value key, int64_t v) { return isVisible(head, key, v); });
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v)
    storeVector(largest[v], maxima, v);
}

void SdpaGradWeights::createWeights(const SdpaHead &head, const SdpaKeys &keys,
                                    const GradRows &rows) {
  int64_t vectors = sdpa.shape.vectors;
  Values largest;
  for (int64_t v = 0; v < vectors; ++v)
    largest.push_back(loadVector(maxima, v));
  Value zero = code.real(sdpa.wide, 0);
  Values own = sdpa.forKeys(
      keys, Values(2 * vectors, zero),
      [&](Value row, ValueRange carried) -> Values {
        Values next(carried);
        Value key = code.addI(keys.first, row);
        for (int64_t v = 0; v < vectors; ++v) {
          Value at = sdpa.place(row, v);
          Value score = code.loadRaw(rows.weights, sdpa.wide, at);
          Value weight = scores.createWeight(score, largest[v]);
          weight = code.select(isVisible(head, key, v), weight, zero);
          code.storeRaw(weight, rows.weights, at);
          Value pull = code.loadRaw(rows.pulls, sdpa.wide, at);
          if (dropout) {
            pull = dropout.keep(pull, key, v);
            code.storeRaw(pull, rows.pulls, at);
          }
          next[v] = code.add(carried[v], weight);
          // Elements without weight may hold any value.
          next[vectors + v] =
              code.select(isZero(code, weight), carried[vectors + v],
                          code.fma(weight, pull, carried[vectors + v]));
        }
        return next;
      });
  addToVectors(own, {factors, means});
}

void SdpaGradWeights::finishWeights() {
  Value zero = code.real(sdpa.wide, 0);
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value sum = loadVector(factors, v), total = sum;
    Value scale = code.f32(1), sinkWeight;
    if (sink) {
      SinkShare share = addSink(code, code.splat(sink, code.lanes()),
                                loadVector(maxima, v), sum);
      scale = share.scale;
      total = share.total;
      sinkWeight = share.sink;
    }
    // No visible key, no weights.
    Value isEmpty = isZero(code, total);
    total = code.select(isEmpty, code.real(sdpa.wide, 1), total);
    Value factor = code.select(isEmpty, zero, code.div(scale, total));
    storeVector(factor, factors, v);
    Value mean = code.mul(loadVector(means, v), factor);
    storeVector(mean, means, v);
    if (sink)
      storeVector(code.mul(code.div(sinkWeight, total), mean), sinkPulls, v);
  }
}

void SdpaGradWeights::createGradients(const SdpaHead &head,
                                      const SdpaKeys &keys,
                                      const GradRows &rows, bool isByScore,
                                      SdpaGradBuckets &buckets) {
  int64_t vectors = sdpa.shape.vectors;
  block::ScoresAttr form = sdpa.op.getScores();
  Values factor, mean;
  for (int64_t v = 0; v < vectors; ++v) {
    Value scaled = loadVector(factors, v);
    factor.push_back(beta ? code.mul(scaled, beta) : scaled);
    mean.push_back(loadVector(means, v));
  }
  buckets.prepareKeys();
  Value zero = code.real(sdpa.wide, 0);
  sdpa.forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    for (int64_t v = 0; v < vectors; ++v) {
      Value at = sdpa.place(row, v);
      Value key = code.addI(keys.first, row);
      Value weight = code.loadRaw(rows.weights, sdpa.wide, at);
      // Of a row that sees NaN, the factor is NaN.
      Value share = code.select(isVisible(head, key, v),
                                code.mul(weight, factor[v]), zero);
      Value hasNone = isZero(code, share);
      Value pull = code.loadRaw(rows.pulls, sdpa.wide, at);
      Value byScore =
          code.select(hasNone, zero, code.mul(share, code.sub(pull, mean[v])));
      code.storeRaw(dropout.keep(share, key, v), rows.weights, at);
      if (isByScore) {
        code.storeRaw(byScore, rows.pulls, at);
        continue;
      }
      Value byCap = byScore;
      if (rows.capSlopes)
        byCap = code.select(
            hasNone, byScore,
            code.mul(byScore, code.loadRaw(rows.capSlopes, sdpa.wide, at)));
      Value byProduct = code.scale(byCap, form.getScaleValue());
      code.storeRaw(byProduct, rows.pulls, at);
      Value byBias = byProduct;
      if (form.getOrder() == block::ScoreOrder::ScaleBiasCap)
        byBias = byCap;
      else if (form.getOrder() == block::ScoreOrder::ScaleCapBias)
        byBias = byScore;
      buckets.add(keys, key, v, byBias);
    }
    return {};
  });
}

void SdpaGradWeights::subtractMeans(const SdpaHead &head, const SdpaKeys &keys,
                                    const GradRows &rows) {
  if (!counts)
    return;
  Values shares;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v)
    shares.push_back(
        code.div(gamma, code.max(loadVector(counts, v), code.f32(1))));
  sdpa.forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
      Value at = sdpa.place(row, v);
      Value weight = code.loadRaw(rows.weights, sdpa.wide, at);
      Value isMarked = isVisible(head, code.addI(keys.first, row), v);
      code.storeRaw(code.select(isMarked, code.sub(weight, shares[v]), weight),
                    rows.weights, at);
    }
    return {};
  });
}

Value SdpaGradWeights::sumBeta() const {
  Value sum;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value part = loadVector(means, v);
    sum = sum ? code.add(sum, part) : part;
  }
  return code.sum(sum);
}

Value SdpaGradWeights::sumSinks() const {
  Value sum;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value part = loadVector(sinkPulls, v);
    sum = sum ? code.add(sum, part) : part;
  }
  Value total = code.neg(code.sum(sum));
  return beta ? code.mul(total, beta) : total;
}

Value SdpaGradWeights::sumGamma() const {
  Value sum;
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    Value part = code.div(loadVector(pullSums, v),
                          code.max(loadVector(counts, v), code.f32(1)));
    sum = sum ? code.add(sum, part) : part;
  }
  return code.neg(code.sum(sum));
}
