//===- AttentionKernel.cpp - attention, tile by tile ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "AttentionBuilder.h"

using namespace mlir;
using namespace parablock;

void AttentionBuilder::build(TileCode code) {
  zero = code.index(0);
  queryRows = code.dim(get(op.getQuery()), 1);
  keyRows = code.dim(get(op.getKey()), 1);
  if (op.getPastKey())
    pastRows = code.dim(get(op.getPastKey()), 1);
  Value used = code.index(plan.getUsedRows());
  Value rows = code.mulIndex(queryRows, code.index(plan.packed));
  Value blocks = code.divIndex(
      code.addIndex(rows, code.index(plan.getUsedRows() - 1)), used);
  Value rowTiles = code.mulIndex(code.dim(get(op.getQuery()), 0), blocks);
  Value columnTiles =
      code.index(plan.heads / plan.packed * plan.getValueTiles());
  Value turns = columnTiles;
  if (plan.splits > 1) {
    splits = createSplits(code, code.mulIndex(rowTiles, columnTiles));
    turns = code.mulIndex(columnTiles, splits);
  }
  code.tiles(
      rowTiles, turns, [&](TileCode inner, Value rowTile, Value columnTile) {
        batch = inner.divIndex(rowTile, blocks);
        Value block = inner.remIndex(rowTile, blocks);
        // The tiles with the most keys first.
        if (op.getScores().getCausal())
          block = inner.subIndex(inner.subIndex(blocks, inner.index(1)), block);
        firstRow = inner.mulIndex(block, used);
        Value rowsLeft = inner.subIndex(rows, firstRow);
        usedRows = inner.minIndex(rowsLeft, used);
        if (splits) {
          split = inner.remIndex(columnTile, splits);
          columnTile = inner.divIndex(columnTile, splits);
          Value before = inner.mulIndex(rowTile, columnTiles);
          tileNumber = inner.addIndex(before, columnTile);
        }
        buildTile(inner, columnTile);
      });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value AttentionBuilder::createTime(TileCode code, Value row) {
  Value all = code.addIndex(firstRow, row);
  return plan.packed == 1 ? all : code.divIndex(all, code.index(plan.packed));
}

Value AttentionBuilder::createHead(TileCode code, Value row) {
  if (plan.packed == 1)
    return firstHead;
  return code.addIndex(firstHead, code.remIndex(code.addIndex(firstRow, row),
                                                code.index(plan.packed)));
}

Value AttentionBuilder::createPosition(TileCode code, Value row) {
  Value time = createTime(code, row);
  return pastRows ? code.addIndex(pastRows, time) : time;
}

AttentionQuery AttentionBuilder::createQuery(TileCode code, Value row,
                                             KeyRange sequence) {
  AttentionQuery query;
  query.position = createPosition(code, row);
  query.keys = limitKeys(code, op.getScores(), query.position, sequence);
  if (op.getCuSeqlens())
    query.sequence = sequence.begin;
  return query;
}

/// The head's entry of a gain with one element or one per head.
Value AttentionBuilder::loadGain(TileCode code, Value gain, Value row) {
  bool isOne = cast<RankedTensorType>(gain.getType()).getShape().back() == 1;
  return code.load(get(gain), zero, isOne ? zero : createHead(code, row));
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

void AttentionBuilder::buildTile(TileCode code, Value columnTile) {
  Value valueTiles = code.index(plan.getValueTiles());
  firstHead = code.mulIndex(code.divIndex(columnTile, valueTiles),
                            code.index(plan.packed));
  firstColumn = code.mulIndex(code.remIndex(columnTile, valueTiles),
                              code.index(plan.valueColumns));
  keyHead = code.divIndex(firstHead, code.index(plan.heads / plan.keyHeads));
  validKeys = keyRows;
  if (op.getLengths())
    validKeys = code.toIndex(code.load(get(op.getLengths()), zero, batch));
  if (op.getCuSeqlens())
    validKeys = loadBound(code, createLastBound(code));
  if (pastRows)
    validKeys = code.addIndex(pastRows, validKeys);
  Value lastRow = code.subIndex(usedRows, code.index(1));
  firstQuery = createQuery(code, zero, findSequence(code, zero));
  lastQuery = createQuery(code, lastRow, findSequence(code, lastRow));
  createSequences(code);
  chooseKeyRange(code);

  SmallVector<Value> carried = code.pipeline(
      code.index(1), plan.getQueryBuffer(), createInits(code), /*stages=*/1,
      [&](TileCode inner, Value, ValueRange buffers) {
        Value row = inner.addIndex(inner.mulIndex(batch, queryRows),
                                   createTime(inner, zero));
        Value column = inner.mulIndex(firstHead, inner.index(plan.headSize));
        auto copy =
            tile::CopyOp::create(inner.builder, inner.loc, get(op.getQuery()),
                                 row, column, buffers[0], 0, plan.rows);
        limitColumns(copy, plan.headSize);
        copy.setParts(plan.packed);
      },
      [&](TileCode inner, Value, ValueRange buffers, ValueRange carried) {
        queryBuffer = buffers[0];
        return addAllKeys(inner, carried);
      });
  if (splits)
    shareKeys(code, carried);
  else
    writeResult(code, createResult(code, carried));
}

/// What the sums of a row are multiplied by. A query without keys attends to
/// nothing.
Value AttentionBuilder::createFactor(TileCode code, Value row, Value total) {
  Value beta = op.getBeta() ? loadGain(code, op.getBeta(), row) : code.f32(1);
  return code.select(code.less(code.f32(0), total), code.div(beta, total),
                     code.f32(0));
}

/// What the sum of the values of all keys is multiplied by.
Value AttentionBuilder::createMeanFactor(TileCode code, Value row,
                                         const AttentionQuery &query) {
  auto [begin, end] = query.keys;
  Value count = code.toF32(code.subIndex(end, begin));
  return code.select(code.lessIndex(begin, end),
                     code.div(loadGain(code, op.getGamma(), row), count),
                     code.f32(0));
}

Value AttentionBuilder::createResult(TileCode code, ValueRange carried) {
  Value factors =
      code.map(plan.getRowValues(), carried[Totals],
               [&](TileCode inner, ValueRange indices, ValueRange elements) {
                 return createFactor(inner, indices[0], elements[0]);
               });
  if (!plan.hasMean())
    return code.map(plan.getSums(), {carried[Sums], factors},
                    [](TileCode inner, ValueRange, ValueRange elements) {
                      return inner.mul(elements[0], elements[1]);
                    });
  Value meanFactors = code.map(
      plan.getRowValues(), sequences,
      [&](TileCode inner, ValueRange indices, ValueRange sequence) {
        return createMeanFactor(inner, indices[0],
                                createQuery(inner, indices[0], sequence));
      });
  return code.map(plan.getSums(),
                  {carried[Sums], factors, carried[Means], meanFactors},
                  [](TileCode inner, ValueRange, ValueRange elements) {
                    return inner.sub(inner.mul(elements[0], elements[1]),
                                     inner.mul(elements[2], elements[3]));
                  });
}

void AttentionBuilder::stageAll(
    TileCode code, Value sums,
    llvm::function_ref<void(Value, int64_t, int64_t)> use) {
  // With wide heads, little shared memory is left.
  const int64_t most = plan.valueColumns > 128 ? 32 : 64;
  for (int64_t first = 0; first < plan.valueColumns; first += most) {
    int64_t count = std::min(most, plan.valueColumns - first);
    use(code.stage(sums, first, count), first, count);
  }
}

void AttentionBuilder::writeResult(TileCode code, Value sums) {
  stageAll(code, sums, [&](Value staged, int64_t first, int64_t count) {
    storeRows(code, first, count, [=](TileCode, Value row) {
      return [=](TileCode each, Value column) {
        return each.load(staged, row, each.subIndex(column, each.index(first)));
      };
    });
  });
}

/// Columns `first` and on of the head, of all rows of the tile.
void AttentionBuilder::storeRows(TileCode code, int64_t first, int64_t count,
                                 RowReader read) {
  code.tileRows(usedRows, plan.rows, [&](TileCode inner, Value row) {
    Value time = createTime(inner, row), own;
    RowElement element = read(inner, row);
    if (op.getAlpha())
      own = loadGain(inner, op.getAlpha(), row);
    auto inHead = [&](TileCode code, Value head, Value column) {
      Value start = code.addIndex(
          code.mulIndex(head, code.index(plan.valueSize)), firstColumn);
      return code.addIndex(start, column);
    };
    Value head = createHead(inner, row);
    Value outputRow = inner.addIndex(inner.mulIndex(batch, queryRows), time);
    Value valueRow = inner.addIndex(inner.mulIndex(batch, keyRows), time);
    Value from = inner.index(first), to = inner.index(first + count);
    inner.columns(from, to, [&](TileCode each, Value column) {
      Value result = element(each, column);
      if (own)
        result = each.fma(own,
                          each.load(get(op.getValue()), valueRow,
                                    inHead(each, keyHead, column)),
                          result);
      each.store(result, shell.getOutput(0), outputRow,
                 inHead(each, head, column));
    });
  });
}

FailureOr<tile::KernelOp>
parablock::buildAttentionKernel(OpBuilder &atModule, block::KernelOp kernel,
                                StringRef name, StringRef chip) {
  block::SdpaOp op;
  for (Operation &inner : kernel.getBody().front().without_terminator()) {
    if (op || !isa<block::SdpaOp>(inner))
      return inner.emitError() << "no GPU code for '" << inner.getName()
                               << "' in a kernel of attention";
    op = cast<block::SdpaOp>(inner);
  }
  if (!op || kernel.getNumResults() != 1)
    return kernel.emitError() << "expected one 'block.sdpa' and its result";
  if (failed(checkScores(op)))
    return failure();
  AttentionPlan plan = planAttention(op, chip);
  KernelShell shell = createKernelShell(atModule, kernel, name, plan.schedule,
                                        plan.getWorkspaces());
  AttentionBuilder(plan, shell).build({shell.builder, kernel.getLoc()});
  return shell.kernel;
}
