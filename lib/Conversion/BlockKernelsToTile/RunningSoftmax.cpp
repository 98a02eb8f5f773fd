//===- RunningSoftmax.cpp - softmax over tiles of keys --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunningSoftmax.h"

#include <limits>

using namespace mlir;
using namespace parablock;

/// Below every score, yet finite: differences to it are numbers. A bias may be
/// as low as numbers go.
static double getLowestScore(block::AttentionOpInterface op) {
  return op.getScoreBias() ? std::numeric_limits<float>::lowest() : -1e30;
}

Value parablock::createLogSum(TileCode code, const AttentionPlan &plan,
                              Value largest, Value factor) {
  Value log = math::Log2Op::create(code.builder, code.loc, factor);
  return code.sub(code.mul(largest, code.f32(plan.getExponentFactor())), log);
}

SmallVector<Value> RunningSoftmax::createInits(TileCode code,
                                               const AttentionPlan &plan) {
  auto constant = [&](double value) {
    return code.map(plan.getRowValues(), {},
                    [&](TileCode inner, ValueRange, ValueRange) {
                      return inner.f32(value);
                    });
  };
  Values inits(plan.hasMean() ? NumCarried : NumCarried - 1);
  inits[Sums] = code.zero(plan.getSums());
  inits[Largest] = constant(getLowestScore(plan.op));
  inits[Totals] = constant(0);
  if (plan.hasMean())
    inits[Means] = code.zero(plan.getSums());
  return inits;
}

/// The row of `key` in the tensors of its source.
static Value getKeyRow(TileCode code, const KeySource &source, Value key) {
  return code.addIndex(source.row, code.subIndex(key, source.first));
}

SmallVector<Value> RunningSoftmax::addAllKeys(TileCode code,
                                              ValueRange carried) {
  if (op.getPastLengths())
    return addCachedKeys(code, carried);
  Values values(carried);
  Value count = tile.keyRows, past = tile.pastRows;
  if (op.getLengths() || op.getCuSeqlens()) {
    Value valid = sequences.getValidKeys();
    count = code.minIndex(count, past ? code.subIndex(valid, past) : valid);
  }
  if (past)
    values = addKeys(code,
                     {tile.get(op.getPastKey()), tile.get(op.getPastValue()),
                      tile.zero, past, code.mulIndex(tile.batch, past)},
                     values);
  return addKeys(code,
                 {tile.get(op.getKey()), tile.get(op.getValue()),
                  past ? past : tile.zero, count,
                  code.mulIndex(tile.batch, tile.keyRows)},
                 values);
}

/// Rows of a cache are those of positions in turn: behind the newest key come
/// the oldest ones, of the turn before. So keys are in two places, of which
/// each has an end of its own: a loop visits those that have keys of the CTA,
/// so that the code of a tile of keys exists once. Keys stay within the rows of
/// the cache, also where lengths exceed it.
SmallVector<Value> RunningSoftmax::addCachedKeys(TileCode code,
                                                 ValueRange carried) {
  Value key = tile.get(op.getKey()), value = tile.get(op.getValue());
  Value capacity = tile.keyRows, end = sequences.getValidKeys();
  // Of pages, rows are those of the batch row's own.
  Value start = op.getPages() ? tile.zero : code.mulIndex(tile.batch, capacity);
  // Else every key is there, in the first turn.
  bool mayTurn = op.getStarts() || op.getScores().getWindow();
  if (!mayTurn)
    return addKeys(code,
                   {key, value, tile.zero, code.minIndex(end, capacity), start},
                   carried);
  Value one = code.index(1), two = code.index(2);
  Value newest = code.subIndex(end, one);
  Value turn = code.subIndex(newest, code.remIndex(newest, capacity));
  Value oldest = code.maxIndex(code.subIndex(end, capacity), tile.zero);
  Value hasBefore = code.lessIndex(code.maxIndex(keys.begin, oldest), turn);
  Value hasNow = code.lessIndex(turn, keys.end);
  // The keys of a place, its end and its row are carried, which takes fewer
  // registers than a choice of either in each turn.
  Values values(carried);
  values.push_back(code.select(hasBefore, oldest, turn));
  values.push_back(code.select(hasBefore, turn, end));
  values.push_back(code.select(
      hasBefore, code.addIndex(start, code.remIndex(oldest, capacity)), start));
  values = code.accumulate(
      code.select(hasBefore, tile.zero, one), code.select(hasNow, two, one),
      values, [&](TileCode inner, Value, ValueRange current) {
        size_t count = carried.size();
        Value first = current[count], behind = current[count + 1];
        Values next = addKeys(inner,
                              {key, value, first, inner.subIndex(behind, first),
                               current[count + 2]},
                              current.take_front(count));
        next.append({turn, end, start});
        return next;
      });
  values.truncate(carried.size());
  return values;
}

/// Steps of tiles of keys that every query sees; the first key is `from`.
KeyRange RunningSoftmax::getStepsSeenByAll(TileCode code,
                                           const KeySource &source,
                                           Value from) {
  KeyRange seen = scores.getSeenByAll(code, source);
  auto countSteps = [&](Value to, int64_t begun) {
    Value count = code.maxIndex(code.subIndex(to, from), tile.zero);
    return code.divIndex(code.addIndex(count, code.index(begun)),
                         code.index(plan.keys));
  };
  return {seen.begin == tile.zero ? tile.zero
                                  : countSteps(seen.begin, plan.keys - 1),
          countSteps(seen.end, 0)};
}

/// The CTA's keys of `source`, tile by tile.
SmallVector<Value> RunningSoftmax::addKeys(TileCode code,
                                           const KeySource &source,
                                           ValueRange carried) {
  Value from = code.maxIndex(keys.begin, source.first);
  Value end = code.addIndex(source.first, source.count);
  Value to = code.minIndex(keys.end, end);
  Value size = code.index(plan.keys);
  Value count = code.maxIndex(code.subIndex(to, from), tile.zero);
  Value steps =
      code.divIndex(code.addIndex(count, code.index(plan.keys - 1)), size);
  // Deferred products want a step, of which all keys may be hidden.
  if (plan.usesTensorMaps())
    steps = code.maxIndex(steps, code.index(1));
  auto getFirstKey = [&](TileCode inner, Value step) {
    return inner.addIndex(from, inner.mulIndex(step, size));
  };
  Value endRow = code.addIndex(source.row, source.count);
  // Keys behind those of this CTA are another's: tiles of a source that begins
  // among them do not end where they do.
  KeySource own = source;
  if (plan.splits > 1)
    own.count = code.subIndex(to, source.first);
  KeyRange seenByAll = getStepsSeenByAll(code, own, from);
  return code.pipeline(
      steps, {plan.getKeyBuffer(), plan.getValueBuffer()}, carried,
      /*stages=*/0,
      [&](TileCode inner, Value step, ValueRange buffers) {
        Value row = getKeyRow(inner, source, getFirstKey(inner, step));
        Value keyColumn =
            inner.mulIndex(tile.keyHead, inner.index(plan.headSize));
        Value valueColumn = inner.addIndex(
            inner.mulIndex(tile.keyHead, inner.index(plan.valueSize)),
            tile.firstColumn);
        // Keys past the end have no weight, but their values may be no numbers,
        // which is why those are left out. Scores are masked.
        copyKeys(inner, source.key, row, keyColumn, buffers[0],
                 plan.usesTensorMaps() ? Value() : endRow, plan.headSize);
        copyKeys(inner, source.value, row, valueColumn, buffers[1], endRow,
                 plan.valueColumns);
      },
      [&](TileCode inner, Value step, ValueRange buffers, ValueRange carried) {
        Value seesAll = isSeenByAll(inner, step, seenByAll);
        return consume(inner, own, {getFirstKey(inner, step), seesAll}, buffers,
                       carried);
      });
}

void RunningSoftmax::copyKeys(TileCode code, Value tensor, Value row,
                              Value column, Value buffer, Value endRow,
                              int64_t width) {
  auto copy = tile::CopyOp::create(code.builder, code.loc, tensor, row, column,
                                   buffer, 0, plan.keys, endRow);
  plan.limitColumns(copy, width);
  if (!op.getPages())
    return;
  copy.getPagesMutable().assign(tile.get(op.getPages()));
  copy.getLineMutable().assign(tile.batch);
}

/// sums + left * right, right being values, or keys with the depth last.
Value RunningSoftmax::multiply(TileCode code, Value left, Value right,
                               Value sums, int64_t depth) {
  bool isValue = depth == 0;
  return tile::MmaOp::create(
      code.builder, code.loc, left, right, sums, /*less=*/Value(),
      /*leftDepthFirst=*/false,
      /*rightDepthFirst=*/isValue,
      isValue ? IntegerAttr() : code.builder.getI64IntegerAttr(depth),
      /*deferred=*/isValue);
}

//===----------------------------------------------------------------------===//
// One tile of keys
//===----------------------------------------------------------------------===//

/// 2^(score - largest), where scores are such.
Value RunningSoftmax::createWeights(TileCode code, Value scores,
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

/// Tells whether a step is one of those. Loops of their own for all of them are
/// too many where scores are looked up, or bounds of sequences beside what is
/// looked up for keys: registers are short in each.
Value RunningSoftmax::isSeenByAll(TileCode code, Value step, KeyRange steps) {
  bool isPacked = static_cast<bool>(op.getCuSeqlens());
  if (!op.getRelativeTable() &&
      !(isPacked && (op.getShawKey() || op.getShawValue())))
    return tile::BetweenOp::create(code.builder, code.loc, step, steps.begin,
                                   steps.end);
  return code.select(code.lessIndex(step, steps.begin), code.boolean(false),
                     code.lessIndex(step, steps.end));
}

SmallVector<Value> RunningSoftmax::consume(TileCode code,
                                           const KeySource &source,
                                           const KeyTile &keys,
                                           ValueRange buffers,
                                           ValueRange carried) {
  Value products = multiply(code, queryBuffer, buffers[0],
                            code.zero(plan.getScores()), plan.getDepth());
  Value finished = scores.create(code, source, keys, code.settle(products));

  Value largest =
      code.map(plan.getRowValues(),
               {carried[Largest], code.combine(tile::Reduction::Max, finished)},
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
  Value weights = createWeights(code, finished, largest);
  Values next(carried);
  next[Largest] = largest;
  next[Totals] =
      code.map(plan.getRowValues(),
               {carried[Totals], corrections,
                code.combineShares(tile::Reduction::Add, weights)},
               [](TileCode inner, ValueRange, ValueRange elements) {
                 return inner.fma(elements[0], elements[1], elements[2]);
               });
  Value sums =
      code.map(plan.getSums(), {code.settle(carried[Sums]), corrections},
               [](TileCode inner, ValueRange, ValueRange elements) {
                 return inner.mul(elements[0], elements[1]);
               });
  weights = dropWeights(code, keys.first, weights);
  if (op.getShawValue())
    sums = addShawValues(code, keys.first, weights, sums);
  next[Sums] = multiply(code, weights, buffers[1], sums, /*depth=*/0);
  if (plan.hasMean())
    next[Means] = multiply(code, scores.createAllowed(code, source, keys),
                           buffers[1], carried[Means], /*depth=*/0);
  return next;
}

/// Their total is that before dropout.
Value RunningSoftmax::dropWeights(TileCode code, Value firstKey,
                                  Value weights) {
  if (!op.getSeed())
    return weights;
  SmallVector<Value> operands = {weights};
  llvm::append_range(operands, dropout.getRowKeys());
  return code.map(plan.getScores(), operands,
                  [&](TileCode inner, ValueRange indices, ValueRange elements) {
                    return AttentionDropout::keep(
                        inner, op.getDropoutAttr(), elements[0],
                        elements.drop_front(),
                        inner.addIndex(firstKey, indices[1]));
                  });
}

/// Gives what the distances of keys add to their values. Weights are where all
/// lanes can read them.
Value RunningSoftmax::addShawValues(TileCode code, Value firstKey,
                                    Value weights, Value sums) {
  Value staged = code.stage(weights, 0, plan.keys);
  Value table = tile.get(op.getShawValue());
  return code.map(
      plan.getSums(), sums,
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        Value row = indices[0];
        Value position = tile.createPosition(inner, row);
        Value column = inner.addIndex(tile.firstColumn, indices[1]);
        // Columns that only fill up have no entry; their sums are not read.
        if (plan.getSums().getColumns() != plan.valueColumns)
          column = inner.minIndex(column, inner.index(plan.valueSize - 1));
        return inner.accumulate(
            tile.zero, inner.index(plan.keys), elements[0],
            [&](TileCode each, Value offset, ValueRange sum) -> Values {
              Value shawRow = createShawRow(each, table, position,
                                            each.addIndex(firstKey, offset));
              return {each.fma(each.load(staged, row, offset),
                               each.load(table, shawRow, column), sum[0])};
            })[0];
      });
}
