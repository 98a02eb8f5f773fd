//===- AttentionOutput.cpp - stores results of a tile of queries ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionOutput.h"

#include "parablock/Dialect/Block/RowCodes.h"

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
  if (plan.encoded)
    sums = encodeTile(code, sums);
  stageAll(code, sums, [&](Value staged, int64_t first, int64_t count) {
    storeRows(code, first, count, [=](TileCode, Value row) {
      return [=](TileCode each, Value column) {
        return each.load(staged, row, each.subIndex(column, each.index(first)));
      };
    });
  });
}

/// Returns the output that stores `result` of the kernel; null for none.
Value AttentionOutput::findOutput(Value result) const {
  Operation *yield = op->getBlock()->getTerminator();
  auto place = llvm::find(yield->getOperands(), result);
  if (!result || place == yield->operand_end())
    return {};
  return tile.shell.getOutput(place - yield->operand_begin());
}

Value AttentionOutput::createOutputRow(TileCode code, Value row) const {
  return code.addIndex(code.mulIndex(tile.batch, tile.queryRows),
                       tile.createTime(code, row));
}

/// Returns the number of the code of an element, or what it represents.
Value AttentionOutput::round(TileCode code, Value number, Value scale) const {
  Value nearest =
      emitNearest(code, code.mul(code.round(number, plan.elementType),
                                 emitReciprocal(code, scale)));
  return plan.encoded->numbers ? code.mul(nearest, scale) : nearest;
}

/// Rounds sums in registers, and stores the scales: a row's columns are those
/// of one scale.
Value AttentionOutput::encodeTile(TileCode code, Value sums) {
  Value magnitudes = code.map(
      plan.getSums(), {sums}, [&](TileCode inner, ValueRange, ValueRange own) {
        return emitFiniteMagnitude(inner,
                                   inner.round(own[0], plan.elementType));
      });
  Value scales = code.map(plan.getRowValues(),
                          {code.combine(tile::Reduction::Max, magnitudes)},
                          [](TileCode inner, ValueRange, ValueRange largest) {
                            return emitGroupScale(inner, largest[0]);
                          });
  if (Value place = findOutput(plan.encoded->scales.getResult())) {
    // One column of a tile that all units can hold.
    auto type = tile::AccumulatorType::get(code.builder.getContext(), plan.rows,
                                           /*columns=*/16);
    Value column =
        code.map(type, {scales}, [](TileCode, ValueRange, ValueRange scale) {
          return scale[0];
        });
    Value staged = code.stage(column, 0, 1);
    code.tileRows(tile.usedRows, plan.rows, [&](TileCode inner, Value row) {
      Value head = tile.createHead(inner, row);
      Value outputRow = createOutputRow(inner, row);
      inner.columns(tile.zero, inner.index(1), [&](TileCode each, Value) {
        each.store(each.load(staged, row, tile.zero), place, outputRow, head);
      });
    });
  }
  return code.map(plan.getSums(), {sums, scales},
                  [&](TileCode inner, ValueRange, ValueRange elements) {
                    return round(inner, elements[0], elements[1]);
                  });
}

/// Stores the scale of a row, and returns its rounded elements.
AttentionOutput::RowElement
AttentionOutput::encodeRow(TileCode code, const RowElement &element, Value row,
                           Value head) {
  Value largest = code.reduce(
      tile::Reduction::Max, tile.zero, code.index(plan.valueColumns),
      [&](TileCode each, Value column) {
        return emitFiniteMagnitude(
            each, each.round(element(each, column), plan.elementType));
      });
  Value scale = emitGroupScale(code, code.max(code.f32(0), largest));
  if (Value place = findOutput(plan.encoded->scales.getResult()))
    code.columns(tile.zero, code.index(1), [&](TileCode each, Value) {
      each.store(scale, place, row, head);
    });
  return [this, element, scale](TileCode each, Value column) {
    return round(each, element(each, column), scale);
  };
}

void AttentionOutput::storeRows(TileCode code, int64_t first, int64_t count,
                                RowReader read, bool encodes) {
  Value place = tile.shell.getOutput(0);
  if (plan.encoded) {
    block::DecodeGroupsOp numbers = plan.encoded->numbers;
    place = findOutput(numbers ? numbers.getResult()
                               : plan.encoded->codes.getResult());
  }
  bool storesCodes =
      cast<MemRefType>(place.getType()).getElementType().isInteger(8);
  code.tileRows(tile.usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value own;
    RowElement element = read(inner, row);
    if (op.getAlpha())
      own = tile.loadGain(inner, op.getAlpha(), row);
    auto inHead = [&](TileCode code, Value head, Value column) {
      Value start = code.addIndex(
          code.mulIndex(head, code.index(plan.valueSize)), tile.firstColumn);
      return code.addIndex(start, column);
    };
    Value head = tile.createHead(inner, row);
    Value outputRow = createOutputRow(inner, row);
    if (encodes)
      element = encodeRow(inner, element, outputRow, head);
    Value valueRow = tile.createValueRow(inner, row);
    Value from = inner.index(first), to = inner.index(first + count);
    inner.columns(from, to, [&](TileCode each, Value column) {
      Value result = element(each, column);
      if (own)
        result = each.fma(own,
                          each.load(tile.get(op.getValue()), valueRow,
                                    inHead(each, tile.keyHead, column)),
                          result);
      if (storesCodes)
        result = emitCode(each, result);
      each.store(result, place, outputRow, inHead(each, head, column));
    });
  });
}
