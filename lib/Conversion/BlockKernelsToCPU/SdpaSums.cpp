//===- SdpaSums.cpp - accumulates values and stores results ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaSums.h"

#include "TileProduct.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

SdpaSums::SdpaSums(const SdpaFrame &sdpa, SdpaInputs &inputs,
                   SdpaSoftmax &softmax)
    : sdpa(sdpa), code(sdpa.code), inputs(inputs), softmax(softmax),
      sums(sdpa.allocate(sdpa.blockQueries * sdpa.paddedValues)) {
  if (softmax.getMarks())
    markSums = sdpa.allocate(sdpa.blockQueries * sdpa.paddedValues);
  if (sdpa.valuePath != CpuPath::Fma)
    pairs = sdpa.allocate(SdpaFrame::blockKeys / 2 * sdpa.blockQueries);
  if (sdpa.hidesKeys())
    visible = sdpa.allocate(SdpaFrame::blockKeys * sdpa.blockQueries);
}

Value SdpaSums::placeIn(Value row, Value column) {
  return code.addI(code.mulI(row, sdpa.paddedValues), column);
}

void SdpaSums::prepareHead() {
  sdpa.clear(sums, sdpa.blockQueries * sdpa.paddedValues);
  if (markSums)
    sdpa.clear(markSums, sdpa.blockQueries * sdpa.paddedValues);
}

void SdpaSums::addKeys(const SdpaHead &head, const SdpaKeys &keys) {
  add(head, keys, softmax.getWeights(), sums, /*corrected=*/true);
  if (markSums)
    add(head, keys, softmax.getMarks(), markSums, /*corrected=*/false);
}

void SdpaSums::addVisibleKeys(const SdpaHead &head, const SdpaKeys &keys) {
  noteVisible(head, keys);
  addVisible(head, keys, softmax.getWeights(), sums, /*corrected=*/true);
  if (markSums)
    addVisible(head, keys, softmax.getMarks(), markSums, /*corrected=*/false);
}

Value SdpaSums::countPairs(const SdpaKeys &keys) {
  Value count = code.ceilDivI(keys.count, 2);
  if (!isTilePath(sdpa.valuePath))
    return count;
  return code.mulI(code.ceilDivI(count, kTilePairs), kTilePairs);
}

void SdpaSums::pairWeights(const SdpaKeys &keys, Value weights) {
  constexpr int64_t mostPairs = SdpaFrame::blockKeys / 2;
  bool isTransposed = isTilePath(sdpa.valuePath);
  Value last = code.addI(keys.count, -1), zero = code.real(sdpa.wide, 0);
  code.loop(code.index(0), countPairs(keys), 1, [&](Value pair) {
    for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
      auto load = [&](Value row) {
        Value weight = code.loadRaw(weights, sdpa.wide,
                                    sdpa.place(code.minI(row, last), v));
        return code.select(code.lessI(row, keys.count), weight, zero);
      };
      Value even = code.mulI(pair, 2);
      Value both =
          joinPairs(code, load(even), load(code.addI(even, 1)), sdpa.type);
      if (!isTransposed) {
        code.storeRaw(both, pairs, sdpa.place(pair, v));
        continue;
      }
      for (int64_t lane = 0; lane < code.lanes(); ++lane) {
        Value query = code.index((v * code.lanes() + lane) * mostPairs);
        code.storeRaw(
            vector::ExtractOp::create(code.builder, code.loc, both, lane),
            pairs, code.addI(query, pair));
      }
    }
  });
}

void SdpaSums::addOnTiles(const SdpaHead &head, const SdpaKeys &keys, Value to,
                          bool corrected) {
  if (corrected)
    code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
      Value factor = code.loadRaw(softmax.getCorrections(), sdpa.narrow, query);
      code.loop(code.index(0), code.index(sdpa.paddedValues), code.lanes(),
                [&](Value column) {
                  Value place = placeIn(query, column);
                  Value sum = code.loadRaw(to, sdpa.wide, place);
                  code.storeRaw(code.mul(sum, factor), to, place);
                });
    });
  constexpr int64_t pairBytes = 4;
  TileOperands operands;
  operands.left = pairs;
  operands.leftStride = SdpaFrame::blockKeys / 2 * pairBytes;
  operands.right = inputs.getValues();
  operands.rightStride = sdpa.paddedValues * pairBytes;
  operands.sums = to;
  operands.sumsStride = sdpa.paddedValues * pairBytes;
  operands.columns = sdpa.paddedValues;
  operands.steps = countPairs(keys);
  operands.numRows = head.numQueries;
  operands.isFirst = code.integer(code.builder.getI1Type(), 0);
  emitTileProduct(code, sdpa.valuePath, operands);
}

ProductOperands SdpaSums::getOperands(Value weights, Value firstQuery,
                                      Value column) {
  ProductOperands operands;
  operands.inPairs = static_cast<bool>(pairs);
  int64_t together = operands.inPairs ? 2 : 1;
  Type left = operands.inPairs ? code.builder.getI32Type() : sdpa.narrow;
  operands.rightType = operands.inPairs ? sdpa.type : sdpa.narrow;
  operands.leftStep = sdpa.blockQueries;
  operands.right = code.address(inputs.getValues(), column, left);
  operands.rightStep = sdpa.paddedValues * together;
  for (int64_t i = 0; i < sdpa.shape.rows; ++i)
    operands.leftRows.push_back(
        code.address(weights, code.addI(firstQuery, i), left));
  return operands;
}

/// to[query] += sum of weights[key][query] * value[key]; if `corrected`, first
/// rescales sums with earlier maxima to the new ones.
void SdpaSums::add(const SdpaHead &head, const SdpaKeys &keys, Value weights,
                   Value to, bool corrected) {
  Value steps = keys.count;
  if (pairs) {
    pairWeights(keys, weights);
    if (isTilePath(sdpa.valuePath)) {
      addOnTiles(head, keys, to, corrected);
      return;
    }
    weights = pairs;
    steps = countPairs(keys);
  }
  auto addColumns = [&](Value column, int64_t vectors) {
    code.loop(
        code.index(0), head.numQueries, sdpa.shape.rows, [&](Value first) {
          Values own = emitProduct(code, getOperands(weights, first, column),
                                   steps, SdpaFrame::blockKeys, vectors);
          for (auto [number, sum] : llvm::enumerate(own)) {
            Value query = code.addI(first, number / vectors);
            Value place = code.addI(placeIn(query, column),
                                    number % vectors * code.lanes());
            Value known = code.loadRaw(to, sdpa.wide, place);
            if (corrected)
              sum = code.fma(
                  known,
                  code.loadRaw(softmax.getCorrections(), sdpa.narrow, query),
                  sum);
            else
              sum = code.add(known, sum);
            code.storeRaw(sum, to, place);
          }
        });
  };
  int64_t step = sdpa.shape.vectors * code.lanes();
  int64_t whole = sdpa.paddedValues / step * step;
  code.loop(code.index(0), code.index(whole), step,
            [&](Value column) { addColumns(column, sdpa.shape.vectors); });
  if (whole != sdpa.paddedValues)
    addColumns(code.index(whole), (sdpa.paddedValues - whole) / code.lanes());
}

/// Zero times a number that is not finite is none, and stays so in sums.
Value SdpaSums::areFinite(const SdpaHead &head) {
  Values found = code.loop(
      code.index(0), head.numQueries, 1, code.real(sdpa.wide, 0),
      [&](Value query, ValueRange before) -> Values {
        Value start = code.mulI(query, sdpa.paddedValues), zeros;
        sdpa.forParts(sdpa.valueSize, [&](int64_t done, int64_t lanes) {
          Value part =
              code.loadRaw(sums, code.f32Type(lanes), code.addI(start, done));
          part = code.mul(part, code.f32(0));
          if (lanes != code.lanes())
            part = code.sum(part);
          zeros = zeros ? code.add(zeros, part) : part;
        });
        return {code.add(before[0], zeros)};
      });
  return code.less(code.sum(found[0]), code.f32(1));
}

void SdpaSums::noteVisible(const SdpaHead &head, const SdpaKeys &keys) {
  sdpa.forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
      Value isAllowed =
          softmax.getScores().isAllowed(head, code.addI(keys.first, row), v);
      code.storeRaw(code.select(isAllowed, code.f32(1), code.f32(0)), visible,
                    sdpa.place(row, v));
    }
    return {};
  });
}

void SdpaSums::addVisible(const SdpaHead &head, const SdpaKeys &keys,
                          Value weights, Value to, bool corrected) {
  auto addColumns = [&](Value query, Value column) {
    Value place = placeIn(query, column);
    Value before = code.loadRaw(to, sdpa.wide, place);
    if (corrected)
      before = code.mul(
          before, code.loadRaw(softmax.getCorrections(), sdpa.narrow, query));
    Values own = sdpa.forKeys(
        keys, code.real(sdpa.wide, 0),
        [&](Value row, ValueRange carried) -> Values {
          Value at = sdpa.place(row, query);
          Value value = inputs.loadValue(row, column);
          Value sum = code.fma(code.loadRaw(weights, sdpa.narrow, at), value,
                               carried[0]);
          Value isVisible =
              code.less(code.f32(0), code.loadRaw(visible, sdpa.narrow, at));
          return {code.select(isVisible, sum, carried[0])};
        });
    code.storeRaw(code.add(before, own[0]), to, place);
  };
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    code.loop(code.index(0), code.index(sdpa.paddedValues), code.lanes(),
              [&](Value column) { addColumns(query, column); });
  });
}

void SdpaSums::storeResult(const SdpaHead &head) {
  Value result = sdpa.getResult();
  Type resultType = getElementTypeOrSelf(sdpa.op->getResult(0).getType());
  Value one = code.f32(1);
  Value firstRow =
      code.addI(code.mulI(head.batch, sdpa.queries), head.firstQuery);
  Value beta = sdpa.op.getBeta() ? sdpa.loadGain(head, sdpa.op.getBeta()) : one;
  Value sink =
      sdpa.op.getSinks() ? sdpa.loadGain(head, sdpa.op.getSinks()) : Value();
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value total = code.loadRaw(softmax.getTotals(), sdpa.narrow, query);
    Value largest =
        sink ? code.loadRaw(softmax.getMaxima(), sdpa.narrow, query) : Value();
    Value factor = createFactor(code, beta, sink, largest, total);
    Value meanFactor, alpha, valueFrom, valueStart;
    if (markSums) {
      Value count = code.max(
          code.loadRaw(softmax.getMarkCounts(), sdpa.narrow, query), one);
      meanFactor =
          code.neg(code.div(sdpa.loadGain(head, sdpa.op.getGamma()), count));
    }
    if (sdpa.op.getAlpha()) {
      alpha = sdpa.loadGain(head, sdpa.op.getAlpha());
      std::tie(valueFrom, valueStart) =
          inputs.findValueRow(head, code.addI(head.position, query));
    }
    Value from = code.mulI(query, sdpa.paddedValues);
    Value to = code.addI(
        code.mulI(code.addI(firstRow, query), sdpa.heads * sdpa.valueSize),
        code.mulI(head.number, sdpa.valueSize));
    sdpa.forParts(sdpa.valueSize, [&](int64_t done, int64_t lanes) {
      Type part = code.f32Type(lanes);
      Value at = code.addI(from, done);
      Value x = code.mul(code.loadRaw(sums, part, at), factor);
      if (meanFactor)
        x = code.fma(code.loadRaw(markSums, part, at), meanFactor, x);
      if (alpha)
        x = code.fma(
            code.load(valueFrom, sdpa.type, code.addI(valueStart, done), lanes),
            alpha, x);
      code.store(x, result, resultType, code.addI(to, done));
    });
  });
}
