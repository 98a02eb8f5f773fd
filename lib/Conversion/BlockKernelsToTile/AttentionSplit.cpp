//===- AttentionSplit.cpp - keys of a tile, shared by several CTAs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Few queries make few tiles, of which each may have very many keys. Then CTAs
// take a range of the keys each, and leave their sums, the largest score and
// the total of the weights in a workspace. The last one weighs the sums by what
// the largest scores say, always in the same order.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

using namespace mlir;
using namespace parablock;

/// Keys that any query may see: both ends of the range of a query only grow
/// with its position. Splits have equally many tiles of them, the last ones
/// maybe none.
void AttentionBuilder::chooseKeyRange(TileCode code) {
  firstKey = firstQuery.begin;
  endKey = lastQuery.end;
  if (plan.splits == 1)
    return;
  auto divideCeil = [&](Value value, int64_t by) {
    return code.divIndex(code.addIndex(value, code.index(by - 1)),
                         code.index(by));
  };
  Value count = code.maxIndex(code.subIndex(endKey, firstKey), zero);
  Value steps = divideCeil(divideCeil(count, plan.keys), plan.splits);
  Value keys = code.mulIndex(steps, code.index(plan.keys));
  firstKey = code.addIndex(firstKey, code.mulIndex(split, keys));
  endKey = code.minIndex(endKey, code.addIndex(firstKey, keys));
}

/// The row of the workspace that a split of this tile has for `row`.
static Value getPartRow(TileCode code, const AttentionPlan &plan, Value tile,
                        Value split, Value row) {
  Value slot =
      code.addIndex(code.mulIndex(tile, code.index(plan.splits)), split);
  return code.addIndex(code.mulIndex(slot, code.index(plan.rows)), row);
}

Value AttentionBuilder::loadPart(TileCode code, Value split, Value row,
                                 Value column) {
  return code.load(shell.getWorkspace(0),
                   getPartRow(code, plan, tileNumber, split, row), column);
}

/// Columns of a workspace row from `first` on.
void AttentionBuilder::storePart(TileCode code, Value staged, int64_t first,
                                 int64_t count) {
  code.tileRows(usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value partRow = getPartRow(inner, plan, tileNumber, split, row);
    inner.columns(zero, inner.index(count), [&](TileCode each, Value column) {
      each.store(each.load(staged, row, column), shell.getWorkspace(0), partRow,
                 each.addIndex(column, each.index(first)));
    });
  });
}

void AttentionBuilder::writePart(TileCode code, ValueRange carried) {
  stageAll(code, carried[Sums],
           [&](Value staged, int64_t first, int64_t count) {
             storePart(code, staged, first, count);
           });
  // Two columns of a tile that all units can hold.
  auto type = tile::AccumulatorType::get(code.builder.getContext(), plan.rows,
                                         /*columns=*/16);
  Value both =
      code.map(type, {carried[Largest], carried[Totals]},
               [](TileCode inner, ValueRange indices, ValueRange elements) {
                 Value isFirst = inner.lessIndex(indices[1], inner.index(1));
                 return inner.select(isFirst, elements[0], elements[1]);
               });
  storePart(code, code.stage(both, 0, 2), plan.valueColumns, 2);
}

void AttentionBuilder::joinParts(TileCode code) {
  auto join = tile::JoinOp::create(
      code.builder, code.loc, shell.getWorkspace(1), tileNumber, plan.splits);
  OpBuilder inside = OpBuilder::atBlockBegin(&join.getBody().emplaceBlock());
  TileCode joined{inside, code.loc};
  Value splits = joined.index(plan.splits);
  Value largestColumn = joined.index(plan.valueColumns);
  Value totalColumn = joined.index(plan.valueColumns + 1);
  storeRows(joined, 0, plan.valueColumns, [&](TileCode inner, Value row) {
    Value lowest = loadPart(inner, zero, row, largestColumn);
    Value largest = inner.accumulate(
        zero, splits, lowest,
        [&](TileCode each, Value split, ValueRange most) -> Values {
          return {each.max(most[0], loadPart(each, split, row, largestColumn))};
        })[0];
    auto weigh = [=, this](TileCode each, Value split) {
      Value below =
          each.sub(loadPart(each, split, row, largestColumn), largest);
      return each.fastExp2(each.mul(below, each.f32(plan.getExponentFactor())));
    };
    auto sum = [=, this](TileCode each, Value column) {
      return each.accumulate(
          zero, splits, each.f32(0),
          [&](TileCode part, Value split, ValueRange sums) -> Values {
            return {part.fma(weigh(part, split),
                             loadPart(part, split, row, column), sums[0])};
          })[0];
    };
    Value factor = createFactor(inner, row, sum(inner, totalColumn));
    return [=](TileCode each, Value column) {
      return each.mul(sum(each, column), factor);
    };
  });
  tile::YieldOp::create(inside, code.loc);
}
