//===- AttentionOutput.cpp - stores results of a tile of queries ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionOutput.h"

using namespace mlir;
using namespace parablock;

/// A query without keys attends to nothing.
Value AttentionOutput::createFactor(TileCode code, Value row, Value largest,
                                    Value total) {
  Value beta =
      op.getBeta() ? tile.loadGain(code, op.getBeta(), row) : code.f32(1);
  Value sink;
  if (op.getSinks()) {
    if (plan.scaleIsInExponent())
      largest = code.scale(largest, op.getScores().getScaleValue());
    sink = tile.loadGain(code, op.getSinks(), row);
  }
  return parablock::createFactor(code, beta, sink, largest, total);
}

Value AttentionOutput::createMeanFactor(TileCode code, Value row,
                                        const AttentionQuery &query) {
  auto [begin, end] = query.keys;
  Value count = code.toF32(code.subIndex(end, begin));
  return code.select(code.lessIndex(begin, end),
                     code.div(tile.loadGain(code, op.getGamma(), row), count),
                     code.f32(0));
}

Value AttentionOutput::createResult(TileCode code, ValueRange carried) {
  SmallVector<Value> softmax = {carried[RunningSoftmax::Totals]};
  if (op.getSinks())
    softmax.push_back(carried[RunningSoftmax::Largest]);
  Value factors =
      code.map(plan.getRowValues(), softmax,
               [&](TileCode inner, ValueRange indices, ValueRange elements) {
                 return createFactor(inner, indices[0], elements.back(),
                                     elements.front());
               });
  if (!plan.hasMean())
    return code.map(plan.getSums(), {carried[RunningSoftmax::Sums], factors},
                    [](TileCode inner, ValueRange, ValueRange elements) {
                      return inner.mul(elements[0], elements[1]);
                    });
  Value meanFactors =
      code.map(plan.getRowValues(), sequences.getRowSequences(),
               [&](TileCode inner, ValueRange indices, ValueRange sequence) {
                 return createMeanFactor(
                     inner, indices[0],
                     sequences.createQuery(inner, indices[0], sequence));
               });
  return code.map(plan.getSums(),
                  {carried[RunningSoftmax::Sums], factors,
                   carried[RunningSoftmax::Means], meanFactors},
                  [](TileCode inner, ValueRange, ValueRange elements) {
                    return inner.sub(inner.mul(elements[0], elements[1]),
                                     inner.mul(elements[2], elements[3]));
                  });
}

void AttentionOutput::stageAll(
    TileCode code, Value sums,
    llvm::function_ref<void(Value, int64_t, int64_t)> use) {
  const int64_t most = plan.getStagedColumns();
  for (int64_t first = 0; first < plan.valueColumns; first += most) {
    int64_t count = std::min(most, plan.valueColumns - first);
    use(code.stage(sums, first, count), first, count);
  }
}

void AttentionOutput::write(TileCode code, ValueRange carried) {
  Value sums = createResult(code, carried);
  if (plan.copiesOut()) {
    Value row =
        code.addIndex(code.mulIndex(tile.batch, tile.queryRows), tile.firstRow);
    Value column =
        code.addIndex(code.mulIndex(tile.firstHead, code.index(plan.valueSize)),
                      tile.firstColumn);
    tile::CopyOutOp::create(code.builder, code.loc, sums,
                            tile.shell.getOutput(0), row, column);
    return;
  }
  stageAll(code, sums, [&](Value staged, int64_t first, int64_t count) {
    storeRows(code, first, count, [=](TileCode, Value row) {
      return [=](TileCode each, Value column) {
        return each.load(staged, row, each.subIndex(column, each.index(first)));
      };
    });
  });
}

void AttentionOutput::storeRows(TileCode code, int64_t first, int64_t count,
                                RowReader read) {
  code.tileRows(tile.usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value time = tile.createTime(inner, row), own;
    RowElement element = read(inner, row);
    if (op.getAlpha())
      own = tile.loadGain(inner, op.getAlpha(), row);
    auto inHead = [&](TileCode code, Value head, Value column) {
      Value start = code.addIndex(
          code.mulIndex(head, code.index(plan.valueSize)), tile.firstColumn);
      return code.addIndex(start, column);
    };
    Value head = tile.createHead(inner, row);
    Value outputRow =
        inner.addIndex(inner.mulIndex(tile.batch, tile.queryRows), time);
    Value valueRow = tile.createValueRow(inner, row);
    Value from = inner.index(first), to = inner.index(first + count);
    inner.columns(from, to, [&](TileCode each, Value column) {
      Value result = element(each, column);
      if (own)
        result = each.fma(own,
                          each.load(tile.get(op.getValue()), valueRow,
                                    inHead(each, tile.keyHead, column)),
                          result);
      each.store(result, tile.shell.getOutput(0), outputRow,
                 inHead(each, head, column));
    });
  });
}
