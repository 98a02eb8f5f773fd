//===- AttentionKeys.cpp - the running softmax over tiles of keys ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include <limits>

using namespace mlir;
using namespace parablock;

/// Below every score, yet finite: differences to it are numbers. A bias may be
/// as low as numbers go.
static double getLowestScore(block::SdpaOp op) {
  return op.getScoreBias() ? std::numeric_limits<float>::lowest() : -1e30;
}

SmallVector<Value> AttentionBuilder::createInits(TileCode code) {
  auto constant = [&](double value) {
    return code.map(plan.getRowValues(), {},
                    [&](TileCode inner, ValueRange, ValueRange) {
                      return inner.f32(value);
                    });
  };
  Values inits(plan.hasMean() ? NumCarried : NumCarried - 1);
  inits[Sums] = code.zero(plan.getSums());
  inits[Largest] = constant(getLowestScore(op));
  inits[Totals] = constant(0);
  if (plan.hasMean())
    inits[Means] = code.zero(plan.getSums());
  return inits;
}

/// The row of `key` in the tensors of its source.
static Value getKeyRow(TileCode code, const KeySource &source, Value key) {
  return code.addIndex(source.row, code.subIndex(key, source.first));
}

SmallVector<Value> AttentionBuilder::addAllKeys(TileCode code,
                                                ValueRange carried) {
  // Where head and batch are as well known as they will be.
  if (plan.packed == 1)
    scores = createPipeline(code, firstHead);
  Values values(carried);
  Value count = keyRows;
  if (op.getLengths() || op.getCuSeqlens())
    count = code.minIndex(keyRows, pastRows ? code.subIndex(validKeys, pastRows)
                                            : validKeys);
  if (pastRows)
    values = addKeys(code,
                     {get(op.getPastKey()), get(op.getPastValue()), zero,
                      pastRows, code.mulIndex(batch, pastRows)},
                     values);
  return addKeys(code,
                 {get(op.getKey()), get(op.getValue()),
                  pastRows ? pastRows : zero, count,
                  code.mulIndex(batch, keyRows)},
                 values);
}

/// The CTA's keys of `source`, tile by tile.
SmallVector<Value> AttentionBuilder::addKeys(TileCode code,
                                             const KeySource &source,
                                             ValueRange carried) {
  Value from = code.maxIndex(firstKey, source.first);
  Value end = code.addIndex(source.first, source.count);
  Value to = code.minIndex(endKey, end);
  Value size = code.index(plan.keys);
  Value count = code.maxIndex(code.subIndex(to, from), zero);
  Value steps =
      code.divIndex(code.addIndex(count, code.index(plan.keys - 1)), size);
  // Deferred products want a step, of which all keys may be hidden.
  if (plan.usesTensorMaps())
    steps = code.maxIndex(steps, code.index(1));
  auto getFirstKey = [&](TileCode inner, Value step) {
    return inner.addIndex(from, inner.mulIndex(step, size));
  };
  Value endRow = code.addIndex(source.row, source.count);
  return code.pipeline(
      steps, {plan.getKeyBuffer(), plan.getValueBuffer()}, carried,
      /*stages=*/0,
      [&](TileCode inner, Value step, ValueRange buffers) {
        Value row = getKeyRow(inner, source, getFirstKey(inner, step));
        Value keyColumn = inner.mulIndex(keyHead, inner.index(plan.headSize));
        Value valueColumn = inner.addIndex(
            inner.mulIndex(keyHead, inner.index(plan.valueSize)), firstColumn);
        // Keys past the end have no weight, but their values may be no numbers,
        // which is why those are left out. Scores are masked.
        copyKeys(inner, source.key, row, keyColumn, buffers[0],
                 plan.usesTensorMaps() ? Value() : endRow, plan.headSize);
        copyKeys(inner, source.value, row, valueColumn, buffers[1], endRow,
                 plan.valueColumns);
      },
      [&](TileCode inner, Value step, ValueRange buffers, ValueRange carried) {
        return consume(inner, source, getFirstKey(inner, step), buffers,
                       carried);
      });
}

void AttentionBuilder::limitColumns(tile::CopyOp copy, int64_t width) {
  if (!plan.usesTensorMaps())
    copy.setWidth(width);
}

void AttentionBuilder::copyKeys(TileCode code, Value tensor, Value row,
                                Value column, Value buffer, Value endRow,
                                int64_t width) {
  auto copy = tile::CopyOp::create(code.builder, code.loc, tensor, row, column,
                                   buffer, 0, plan.keys, endRow);
  limitColumns(copy, width);
}

/// sums + left * right, right being values, or keys with the depth last.
Value AttentionBuilder::multiply(TileCode code, Value left, Value right,
                                 Value sums, int64_t depth) {
  bool isValue = depth == 0;
  return tile::MmaOp::create(
      code.builder, code.loc, left, right, sums, /*leftDepthFirst=*/false,
      /*rightDepthFirst=*/isValue,
      isValue ? IntegerAttr() : code.builder.getI64IntegerAttr(depth),
      /*deferred=*/isValue);
}

//===----------------------------------------------------------------------===//
// One tile of keys
//===----------------------------------------------------------------------===//

/// 2^(score - largest), where scores are such.
Value AttentionBuilder::createWeights(TileCode code, Value scores,
                                      Value largest) {
  double factor = plan.getExponentFactor();
  // The lowest numbers have no room for a factor.
  if (op.getScoreBias())
    return code.map(plan.getScores(), {scores, largest},
                    [&](TileCode inner, ValueRange, ValueRange elements) {
                      Value below = inner.sub(elements[0], elements[1]);
                      return inner.fastExp2(
                          inner.mul(below, inner.f32(factor)));
                    });
  Value shifts = code.map(plan.getRowValues(), largest,
                          [&](TileCode inner, ValueRange, ValueRange elements) {
                            return inner.mul(elements[0], inner.f32(factor));
                          });
  return code.map(plan.getScores(), {scores, shifts},
                  [&](TileCode inner, ValueRange, ValueRange elements) {
                    return inner.fastExp2(inner.fma(elements[0],
                                                    inner.f32(factor),
                                                    inner.neg(elements[1])));
                  });
}

SmallVector<Value> AttentionBuilder::consume(TileCode code,
                                             const KeySource &source,
                                             Value firstKey, ValueRange buffers,
                                             ValueRange carried) {
  Value keys = buffers[0], values = buffers[1];
  Value products = multiply(code, queryBuffer, keys,
                            code.zero(plan.getScores()), plan.getDepth());
  Value scores = createScores(code, source, firstKey, code.settle(products));

  Value largest =
      code.map(plan.getRowValues(),
               {carried[Largest], code.combine(tile::Reduction::Max, scores)},
               [](TileCode inner, ValueRange, ValueRange elements) {
                 return inner.max(elements[0], elements[1]);
               });
  Value corrections =
      code.map(plan.getRowValues(), {carried[Largest], largest},
               [&](TileCode inner, ValueRange, ValueRange elements) {
                 Value below = inner.sub(elements[0], elements[1]);
                 return inner.fastExp2(
                     inner.mul(below, inner.f32(plan.getExponentFactor())));
               });
  Value weights = createWeights(code, scores, largest);
  Values next(carried);
  next[Largest] = largest;
  next[Totals] =
      code.map(plan.getRowValues(),
               {carried[Totals], corrections,
                code.combine(tile::Reduction::Add, weights)},
               [](TileCode inner, ValueRange, ValueRange elements) {
                 return inner.fma(elements[0], elements[1], elements[2]);
               });
  Value sums =
      code.map(plan.getSums(), {code.settle(carried[Sums]), corrections},
               [](TileCode inner, ValueRange, ValueRange elements) {
                 return inner.mul(elements[0], elements[1]);
               });
  if (op.getShawValue())
    sums = addShawValues(code, firstKey, weights, sums);
  next[Sums] = multiply(code, weights, values, sums, /*depth=*/0);
  if (plan.hasMean())
    next[Means] = multiply(code, createAllowed(code, source, firstKey), values,
                           carried[Means], /*depth=*/0);
  return next;
}

/// What the distances of keys add to their values. Weights are where all lanes
/// can read them.
Value AttentionBuilder::addShawValues(TileCode code, Value firstKey,
                                      Value weights, Value sums) {
  Value staged = code.stage(weights, 0, plan.keys);
  Value table = get(op.getShawValue());
  return code.map(
      plan.getSums(), sums,
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        Value row = indices[0];
        Value position = createPosition(inner, row);
        Value column = inner.addIndex(firstColumn, indices[1]);
        // Columns that only fill up have no entry; nobody reads their sums.
        if (plan.getSums().getColumns() != plan.valueColumns)
          column = inner.minIndex(column, inner.index(plan.valueSize - 1));
        return inner.accumulate(
            zero, inner.index(plan.keys), elements[0],
            [&](TileCode each, Value offset, ValueRange sum) -> Values {
              Value shawRow =
                  createShawRow(each, getNumRows(op.getShawValue()), position,
                                each.addIndex(firstKey, offset));
              return {each.fma(each.load(staged, row, offset),
                               each.load(table, shawRow, column), sum[0])};
            })[0];
      });
}
