//===- AttentionSplit.cpp - splits keys over CTAs and joins the parts -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionOutput.h"

using namespace mlir;
using namespace parablock;

static Value divideCeil(TileCode code, Value value, Value by) {
  Value most = code.subIndex(code.addIndex(value, by), code.index(1));
  return code.divIndex(most, by);
}

/// Returns the largest number of keys that the queries of a tile may read: for
/// a cache, the rows that the longest batch row holds, not its capacity.
static Value countKeys(TileCode code, const AttentionOperands &operands) {
  Value keys = operands.keyRows;
  if (operands.pastRows)
    return code.addIndex(operands.pastRows, keys);
  Value lengths = operands.get(operands.op.getPastLengths());
  if (!lengths)
    return keys;
  Value most = code.accumulate(
      operands.zero, code.dim(lengths, 0), operands.zero,
      [&](TileCode inner, Value batch, ValueRange most) -> SmallVector<Value> {
        Value past = inner.toIndex(inner.load(lengths, operands.zero, batch));
        return {inner.maxIndex(most[0], past)};
      })[0];
  keys = code.minIndex(keys, code.addIndex(most, operands.queryRows));
  block::ScoresAttr scores = operands.op.getScores();
  if (std::optional<int64_t> window = scores.getWindow();
      window && scores.getCausal()) {
    Value before = code.index(std::min<int64_t>(*window, 1 << 30) - 1);
    keys = code.minIndex(keys, code.addIndex(operands.queryRows, before));
  }
  return keys;
}

/// Creates the number of parts that planAttention computes for known sizes: if
/// the batch or the rows of caches are dynamic, the kernel computes it at run
/// time; one part if there are enough tiles.
Value AttentionSplit::createCount(TileCode code,
                                  const AttentionOperands &operands,
                                  Value tiles) {
  const AttentionPlan &plan = operands.plan;
  if (plan.knowsSplits())
    return code.index(plan.splits);
  Value one = code.index(1);
  Value steps =
      divideCeil(code, countKeys(code, operands), code.index(plan.keys));
  Value bySteps = code.divIndex(steps, code.index(AttentionPlan::leastSteps));
  Value byPlaces =
      code.divIndex(code.index(plan.parts), code.maxIndex(tiles, one));
  Value most =
      code.minIndex(code.minIndex(bySteps, byPlaces), code.index(plan.splits));
  return code.maxIndex(most, one);
}

/// Splits have equally many tiles of keys, the last ones maybe none.
KeyRange AttentionSplit::chooseKeys(TileCode code, KeyRange keys) {
  Value count = code.maxIndex(code.subIndex(keys.end, keys.begin), tile.zero);
  Value size = code.index(plan.keys);
  Value steps = divideCeil(code, divideCeil(code, count, size), splits);
  Value share = code.mulIndex(steps, size);
  Value begin = code.addIndex(keys.begin, code.mulIndex(split, share));
  return {begin, code.minIndex(keys.end, code.addIndex(begin, share))};
}

void AttentionSplit::shareKeys(TileCode code, ValueRange carried) {
  auto share = [&](TileCode inner) {
    writePart(inner, carried);
    joinParts(inner);
  };
  if (plan.knowsSplits())
    return share(code);
  Value isAlone = code.lessIndex(splits, code.index(2));
  code.when(isAlone, [&](TileCode inner) { output.write(inner, carried); });
  code.when(code.select(isAlone, code.boolean(false), code.boolean(true)),
            share);
}

/// The row of the workspace that a split of this tile has for `row`.
Value AttentionSplit::getPartRow(TileCode code, Value split, Value row) {
  Value part = code.addIndex(code.mulIndex(tileNumber, splits), split);
  return code.addIndex(code.mulIndex(part, code.index(plan.rows)), row);
}

Value AttentionSplit::loadPart(TileCode code, Value split, Value row,
                               Value column) {
  return code.load(tile.shell.getWorkspace(0), getPartRow(code, split, row),
                   column);
}

/// Columns of a workspace row from `first` on.
void AttentionSplit::storePart(TileCode code, Value staged, int64_t first,
                               int64_t count) {
  code.tileRows(tile.usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value partRow = getPartRow(inner, split, row);
    inner.columns(
        tile.zero, inner.index(count), [&](TileCode each, Value column) {
          each.store(each.load(staged, row, column), tile.shell.getWorkspace(0),
                     partRow, each.addIndex(column, each.index(first)));
        });
  });
}

void AttentionSplit::writePart(TileCode code, ValueRange carried) {
  auto storeSums = [&](Value sums, int64_t column) {
    output.stageAll(code, sums,
                    [&](Value staged, int64_t first, int64_t count) {
                      storePart(code, staged, column + first, count);
                    });
  };
  storeSums(carried[RunningSoftmax::Sums], 0);
  if (plan.hasMean())
    storeSums(carried[RunningSoftmax::Means], plan.getMeanColumn());
  // Two columns of a tile that all units can hold.
  auto type = tile::AccumulatorType::get(code.builder.getContext(), plan.rows,
                                         /*columns=*/16);
  Value both = code.map(
      type, {carried[RunningSoftmax::Largest], carried[RunningSoftmax::Totals]},
      [](TileCode inner, ValueRange indices, ValueRange elements) {
        Value isFirst = inner.lessIndex(indices[1], inner.index(1));
        return inner.select(isFirst, elements[0], elements[1]);
      });
  storePart(code, code.stage(both, 0, 2), plan.getLargestColumn(), 2);
}

/// Sums the values of all parts of a row in a column, in order.
Value AttentionSplit::addParts(TileCode code, Value row, Value column,
                               const PartWeight &weigh) {
  return code.accumulate(
      tile.zero, splits, code.f32(0),
      [&](TileCode each, Value split, ValueRange sum) -> SmallVector<Value> {
        Value part = loadPart(each, split, row, column);
        return {weigh ? each.fma(weigh(each, split), part, sum[0])
                      : each.add(sum[0], part)};
      })[0];
}

void AttentionSplit::joinParts(TileCode code) {
  auto join = tile::JoinOp::create(
      code.builder, code.loc, tile.shell.getWorkspace(1), tileNumber, splits);
  OpBuilder inside = OpBuilder::atBlockBegin(&join.getBody().emplaceBlock());
  TileCode joined{inside, code.loc};
  Value largestColumn = joined.index(plan.getLargestColumn());
  Value totalColumn = joined.index(plan.getTotalColumn());
  output.storeRows(
      joined, 0, plan.valueColumns,
      [&](TileCode inner, Value row) {
        Value lowest = loadPart(inner, tile.zero, row, largestColumn);
        Value largest = inner.accumulate(
            tile.zero, splits, lowest,
            [&](TileCode each, Value split,
                ValueRange most) -> SmallVector<Value> {
              return {
                  each.max(most[0], loadPart(each, split, row, largestColumn))};
            })[0];
        auto weigh = [=](TileCode each, Value split) {
          Value below =
              each.sub(loadPart(each, split, row, largestColumn), largest);
          return each.fastExp2(
              each.mul(below, each.f32(plan.getExponentFactor())));
        };
        Value factor = output.createFactor(
            inner, row, largest, addParts(inner, row, totalColumn, weigh));
        Value meanFactor;
        if (plan.hasMean())
          meanFactor = output.createMeanFactor(inner, row,
                                               sequences.findQuery(inner, row));
        return [=](TileCode each, Value column) {
          Value result = each.mul(addParts(each, row, column, weigh), factor);
          if (!meanFactor)
            return result;
          Value meanColumn =
              each.addIndex(column, each.index(plan.getMeanColumn()));
          Value mean = addParts(each, row, meanColumn);
          return each.sub(result, each.mul(mean, meanFactor));
        };
      },
      /*encodes=*/plan.encoded.has_value());
  tile::YieldOp::create(inside, code.loc);
}
