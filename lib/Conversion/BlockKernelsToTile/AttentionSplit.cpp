//===- AttentionSplit.cpp - keys of a tile, shared by several CTAs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Few queries make few tiles, of which each may have very many keys. Then CTAs
// take a range of the keys each, and leave their sums, the largest score and
// the total of the weights in a workspace. The last one weighs the sums by what
// the largest scores say, always in the same order. Sums of a mean are only
// added. Where the batch is not known, how many CTAs share is decided when the
// kernel runs: none where there are tiles enough.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

using namespace mlir;
using namespace parablock;

static Value divideCeil(TileCode code, Value value, Value by) {
  Value most = code.subIndex(code.addIndex(value, by), code.index(1));
  return code.divIndex(most, by);
}

/// How many CTAs share the keys of each of so many tiles: as planAttention
/// says, or would have said had it known.
Value AttentionBuilder::createSplits(TileCode code, Value tiles) {
  if (plan.tiles)
    return code.index(plan.splits);
  Value one = code.index(1);
  Value keys = pastRows ? code.addIndex(pastRows, keyRows) : keyRows;
  Value steps = divideCeil(code, keys, code.index(plan.keys));
  Value bySteps = code.divIndex(steps, code.index(AttentionPlan::leastSteps));
  Value byPlaces =
      code.divIndex(code.index(plan.parts), code.maxIndex(tiles, one));
  Value most =
      code.minIndex(code.minIndex(bySteps, byPlaces), code.index(plan.splits));
  return code.maxIndex(most, one);
}

/// Keys that any query may see: both ends of the range of a query only grow
/// with its position. Splits have equally many tiles of them, the last ones
/// maybe none.
void AttentionBuilder::chooseKeyRange(TileCode code) {
  firstKey = firstQuery.keys.begin;
  endKey = lastQuery.keys.end;
  if (!splits)
    return;
  Value count = code.maxIndex(code.subIndex(endKey, firstKey), zero);
  Value size = code.index(plan.keys);
  Value steps = divideCeil(code, divideCeil(code, count, size), splits);
  Value keys = code.mulIndex(steps, size);
  firstKey = code.addIndex(firstKey, code.mulIndex(split, keys));
  endKey = code.minIndex(endKey, code.addIndex(firstKey, keys));
}

void AttentionBuilder::shareKeys(TileCode code, ValueRange carried) {
  auto share = [&](TileCode inner) {
    writePart(inner, carried);
    joinParts(inner);
  };
  if (plan.tiles)
    return share(code);
  Value isAlone = code.lessIndex(splits, code.index(2));
  code.when(isAlone, [&](TileCode inner) {
    writeResult(inner, createResult(inner, carried));
  });
  code.when(code.select(isAlone, code.boolean(false), code.boolean(true)),
            share);
}

/// The row of the workspace that a split of this tile has for `row`.
Value AttentionBuilder::getPartRow(TileCode code, Value split, Value row) {
  Value part = code.addIndex(code.mulIndex(tileNumber, splits), split);
  return code.addIndex(code.mulIndex(part, code.index(plan.rows)), row);
}

Value AttentionBuilder::loadPart(TileCode code, Value split, Value row,
                                 Value column) {
  return code.load(shell.getWorkspace(0), getPartRow(code, split, row), column);
}

/// Columns of a workspace row from `first` on.
void AttentionBuilder::storePart(TileCode code, Value staged, int64_t first,
                                 int64_t count) {
  code.tileRows(usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value partRow = getPartRow(inner, split, row);
    inner.columns(zero, inner.index(count), [&](TileCode each, Value column) {
      each.store(each.load(staged, row, column), shell.getWorkspace(0), partRow,
                 each.addIndex(column, each.index(first)));
    });
  });
}

void AttentionBuilder::writePart(TileCode code, ValueRange carried) {
  auto storeSums = [&](Value sums, int64_t column) {
    stageAll(code, sums, [&](Value staged, int64_t first, int64_t count) {
      storePart(code, staged, column + first, count);
    });
  };
  storeSums(carried[Sums], 0);
  if (plan.hasMean())
    storeSums(carried[Means], plan.getMeanColumn());
  // Two columns of a tile that all units can hold.
  auto type = tile::AccumulatorType::get(code.builder.getContext(), plan.rows,
                                         /*columns=*/16);
  Value both =
      code.map(type, {carried[Largest], carried[Totals]},
               [](TileCode inner, ValueRange indices, ValueRange elements) {
                 Value isFirst = inner.lessIndex(indices[1], inner.index(1));
                 return inner.select(isFirst, elements[0], elements[1]);
               });
  storePart(code, code.stage(both, 0, 2), plan.getLargestColumn(), 2);
}

/// What all parts of a row have in a column, in order.
Value AttentionBuilder::addParts(TileCode code, Value row, Value column,
                                 const PartWeight &weigh) {
  return code.accumulate(
      zero, splits, code.f32(0),
      [&](TileCode each, Value split, ValueRange sum) -> Values {
        Value part = loadPart(each, split, row, column);
        return {weigh ? each.fma(weigh(each, split), part, sum[0])
                      : each.add(sum[0], part)};
      })[0];
}

void AttentionBuilder::joinParts(TileCode code) {
  auto join = tile::JoinOp::create(code.builder, code.loc,
                                   shell.getWorkspace(1), tileNumber, splits);
  OpBuilder inside = OpBuilder::atBlockBegin(&join.getBody().emplaceBlock());
  TileCode joined{inside, code.loc};
  Value largestColumn = joined.index(plan.getLargestColumn());
  Value totalColumn = joined.index(plan.getTotalColumn());
  storeRows(joined, 0, plan.valueColumns, [&](TileCode inner, Value row) {
    Value lowest = loadPart(inner, zero, row, largestColumn);
    Value largest = inner.accumulate(
        zero, splits, lowest,
        [&](TileCode each, Value split, ValueRange most) -> Values {
          return {each.max(most[0], loadPart(each, split, row, largestColumn))};
        })[0];
    auto weigh = [=](TileCode each, Value split) {
      Value below =
          each.sub(loadPart(each, split, row, largestColumn), largest);
      return each.fastExp2(each.mul(below, each.f32(plan.getExponentFactor())));
    };
    Value factor =
        createFactor(inner, row, addParts(inner, row, totalColumn, weigh));
    Value meanFactor;
    if (plan.hasMean())
      meanFactor = createMeanFactor(
          inner, row, createQuery(inner, row, findSequence(inner, row)));
    return [=](TileCode each, Value column) {
      Value result = each.mul(addParts(each, row, column, weigh), factor);
      if (!meanFactor)
        return result;
      Value meanColumn =
          each.addIndex(column, each.index(plan.getMeanColumn()));
      Value mean = addParts(each, row, meanColumn);
      return each.sub(result, each.mul(mean, meanFactor));
    };
  });
  tile::YieldOp::create(inside, code.loc);
}
