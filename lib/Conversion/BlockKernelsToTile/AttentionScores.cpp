//===- AttentionScores.cpp - masks, biases and scales scores of a tile ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionScores.h"

#include "parablock/Analysis/ScoreTables.h"
#include <limits>

using namespace mlir;
using namespace parablock;

Value parablock::createShawRow(TileCode code, Value table, Value position,
                               Value key) {
  int64_t rows = cast<MemRefType>(table.getType()).getDimSize(0);
  return createTableRow(code, code.subIndex(key, position), rows / 2);
}

Value parablock::loadRelation(TileCode code, const AttentionTile &tile,
                              Value relations, int64_t rows, Value row,
                              Value key) {
  // Rows of a tile that no query is at get the last one's; they are not read.
  Value last = code.subIndex(tile.queryRows, code.index(1));
  Value time = code.minIndex(tile.createTime(code, row), last);
  Value line = code.addIndex(code.mulIndex(tile.batch, tile.queryRows), time);
  Value position = tile.createPosition(code, row);
  Value entry = createTableRow(code, code.subIndex(key, position), rows / 2);
  Value first = code.mulIndex(tile.createHead(code, row), code.index(rows));
  return code.load(relations, line, code.addIndex(first, entry));
}

AttentionScores::AttentionScores(TileCode code, const AttentionTile &tile,
                                 const AttentionSequences &sequences,
                                 Value queryBuffer)
    : tile(tile), plan(tile.plan), op(tile.op), sequences(sequences),
      queryBuffer(queryBuffer) {
  if (plan.packed == 1)
    only = createHead(code, tile.firstHead);
}

AttentionScores::Head AttentionScores::createHead(TileCode code,
                                                  Value number) const {
  Head head = {number, Value(), Value()};
  Value slope;
  if (Value slopes = tile.get(op.getSlopes()))
    slope = code.load(slopes, Value(), number);
  head.slope = createSlope(code, op.getScores(), plan.heads, slope,
                           [&](ArrayRef<float> slopes) {
                             return code.load(code.table(slopes, slopes.size()),
                                              number, code.index(0));
                           });
  if (Value table = op.getRelativeTable()) {
    int64_t rows = cast<RankedTensorType>(table.getType()).getDimSize(0);
    head.buckets = code.table(
        llvm::to_vector_of<int32_t>(computeBuckets(*op.getBuckets(), rows)));
  }
  return head;
}

Value AttentionScores::loadRelative(TileCode code, const Head &head,
                                    Value position, Value key) const {
  Value place = createTableRow(code, code.subIndex(position, key),
                               op.getBuckets()->getMaxDistance());
  Value bucket = code.toIndex(code.load(head.buckets, code.index(0), place));
  return code.load(tile.get(op.getRelativeTable()), bucket, head.number);
}

/// Returns the bias of a query and a key. Padding rows and keys of a tile get
/// another one's; their scores are not read.
Value AttentionScores::loadBias(TileCode code, Value row, Value key) const {
  Value bias = tile.get(op.getScoreBias());
  auto type = cast<MemRefType>(bias.getType());
  Value indices[] = {tile.batch, tile.createHead(code, row),
                     tile.createTime(code, row), key};
  for (auto [dim, index] : llvm::enumerate(indices)) {
    bool isOne = type.getShape()[dim] == 1;
    Value last = code.subIndex(code.dim(bias, dim), code.index(1));
    index = isOne ? tile.zero : code.minIndex(index, last);
  }
  Value biasRow =
      code.addIndex(code.mulIndex(indices[0], code.dim(bias, 1)), indices[1]);
  biasRow =
      code.addIndex(code.mulIndex(biasRow, code.dim(bias, 2)), indices[2]);
  return code.load(bias, biasRow, indices[3]);
}

ScorePlace AttentionScores::createPlace(TileCode code, Value row,
                                        const AttentionQuery &query,
                                        Value key) const {
  Head head = only ? *only : createHead(code, tile.createHead(code, row));
  ScorePlace place = {query.position, key,     query.sequence,
                      head.slope,     Value(), Value()};
  if (head.buckets)
    place.relative = loadRelative(code, head, query.position, key);
  if (op.getScoreBias())
    place.bias = loadBias(code, row, key);
  return place;
}

Value AttentionScores::createCapSlope(TileCode code, Value row,
                                      const AttentionQuery &query, Value key,
                                      Value product) const {
  return parablock::createCapSlope(code, op.getScores(),
                                   addShaw(code, row, query, key, product),
                                   createPlace(code, row, query, key));
}

Value AttentionScores::addShaw(TileCode code, Value row,
                               const AttentionQuery &query, Value key,
                               Value product) const {
  Value table = tile.get(op.getShawKey());
  if (!table)
    return product;
  if (tile.shawProducts) {
    int64_t rows = cast<MemRefType>(table.getType()).getDimSize(0);
    return code.add(
        product, loadRelation(code, tile, tile.shawProducts, rows, row, key));
  }
  Value shawRow = createShawRow(code, table, query.position, key);
  return code.accumulate(
      tile.zero, code.index(plan.headSize), product,
      [&](TileCode inner, Value d, ValueRange sums) -> SmallVector<Value> {
        return {inner.fma(inner.load(queryBuffer, row, d),
                          inner.load(table, shawRow, d), sums[0])};
      })[0];
}

/// Applies everything to a product except a factor that becomes part of the
/// exponent.
Value AttentionScores::createScore(TileCode code, Value row,
                                   const AttentionQuery &query, Value key,
                                   Value product) const {
  product = addShaw(code, row, query, key, product);
  if (plan.scaleIsInExponent())
    return product;
  return parablock::createScore(code, op.getScores(), product,
                                createPlace(code, row, query, key));
}

/// Returns whether a query that may read the keys `allowed` reads `key`.
Value AttentionScores::isAllowed(TileCode code, const KeySource &source,
                                 KeyRange allowed, Value key) const {
  Value end = code.addIndex(source.first, source.count);
  allowed.end = code.minIndex(allowed.end, end);
  return isWithin(code, key, allowed);
}

KeyRange AttentionScores::getSeenByAll(TileCode code,
                                       const KeySource &source) const {
  Value end = code.addIndex(source.first, source.count);
  return {sequences.getLast().keys.begin,
          code.minIndex(sequences.getFirst().keys.end, end)};
}

Value AttentionScores::createAllowed(TileCode code, const KeySource &source,
                                     const KeyTile &keys) const {
  return code.ifElse(
      keys.seesAll,
      [&](TileCode inner) {
        return inner.map(
            plan.getScores(), {},
            [](TileCode each, ValueRange, ValueRange) { return each.f32(1); });
      },
      [&](TileCode inner) {
        return inner.map(
            plan.getScores(), sequences.getRowSequences(),
            [&](TileCode each, ValueRange indices, ValueRange sequence) {
              AttentionQuery query =
                  sequences.createQuery(each, indices[0], sequence);
              Value key = each.addIndex(keys.first, indices[1]);
              return each.select(isAllowed(each, source, query.keys, key),
                                 each.f32(1), each.f32(0));
            });
      });
}

/// Tells whether LLVM's strength reduction would keep the distance of each
/// score in a register of its own, and spill others. It does not where a causal
/// mask alone limits keys.
static bool hasManyDistances(block::AttentionOpInterface op) {
  block::ScoresAttr scores = op.getScores();
  bool hasDistances = scores.getAlibiMax() && !scores.getAlibiType();
  return op.getRelativeTable() ||
         (hasDistances &&
          (scores.getWindow() || op.getCuSeqlens() || op.getPastKey()));
}

Value AttentionScores::create(TileCode code, const KeySource &source,
                              const KeyTile &keys, Value products) const {
  bool isChanged = !plan.scaleIsInExponent() || op.getShawKey();
  SmallVector<Value> operands = {products};
  llvm::append_range(operands, sequences.getRowSequences());
  Value first = hasManyDistances(op) ? code.hideSteps(keys.first) : keys.first;
  auto createAll = [&](TileCode inner, bool hasMask) -> Value {
    if (!hasMask && !isChanged)
      return products;
    return inner.map(
        plan.getScores(), operands,
        [&](TileCode each, ValueRange indices, ValueRange elements) {
          Value row = indices[0], key = each.addIndex(first, indices[1]);
          AttentionQuery query =
              sequences.createQuery(each, row, elements.drop_front());
          Value score = createScore(each, row, query, key, elements[0]);
          if (!hasMask)
            return score;
          return each.select(
              isAllowed(each, source, query.keys, key), score,
              each.f32(-std::numeric_limits<double>::infinity()));
        });
  };
  return code.ifElse(
      keys.seesAll, [&](TileCode inner) { return createAll(inner, false); },
      [&](TileCode inner) { return createAll(inner, true); });
}
