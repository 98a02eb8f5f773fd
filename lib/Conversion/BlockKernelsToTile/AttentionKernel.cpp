//===- AttentionKernel.cpp - attention, tile by tile ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile of queries stays in shared memory while tiles of keys and values pass:
//
//   scores = query * key, then what the form does to them (a region)
//   largest score so far, weights 2^(score - largest), their sum
//   sums = sums * 2^(largest before - largest) + weights * value
//
// The scores of all keys are never in memory. Tiles of keys that no query of
// the tile may see are left out, and masks are computed for those only that
// some may not see.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "AttentionOutput.h"
#include "parablock/Analysis/SdpaLimits.h"

using namespace mlir;
using namespace parablock;

static SmallVector<Value> addKeys(TileCode code, const AttentionTile &tile,
                                  const AttentionSequences &sequences,
                                  KeyRange keys) {
  const AttentionPlan &plan = tile.plan;
  return code.pipeline(
      code.index(1), plan.getQueryBuffer(),
      RunningSoftmax::createInits(code, plan), /*stages=*/1,
      [&](TileCode inner, Value, ValueRange buffers) {
        Value row = inner.addIndex(inner.mulIndex(tile.batch, tile.queryRows),
                                   tile.createTime(inner, tile.zero));
        Value column =
            inner.mulIndex(tile.firstHead, inner.index(plan.headSize));
        auto copy = tile::CopyOp::create(inner.builder, inner.loc,
                                         tile.get(tile.op.getQuery()), row,
                                         column, buffers[0], 0, plan.rows);
        plan.limitColumns(copy, plan.headSize);
        copy.setParts(plan.packed);
      },
      [&](TileCode inner, Value, ValueRange buffers, ValueRange carried) {
        return RunningSoftmax(inner, tile, sequences, keys, buffers[0])
            .addAllKeys(inner, carried);
      });
}

static void buildTiles(TileCode code, const AttentionPlan &plan,
                       KernelShell &shell) {
  AttentionOperands operands(plan, shell, code);
  Value used = code.index(plan.getUsedRows());
  Value rows = code.mulIndex(operands.queryRows, code.index(plan.packed));
  Value blocks = code.divIndex(
      code.addIndex(rows, code.index(plan.getUsedRows() - 1)), used);
  Value rowTiles =
      code.mulIndex(code.dim(operands.get(operands.op.getQuery()), 0), blocks);
  Value columnTiles =
      code.index(plan.heads / plan.packed * plan.getValueTiles());
  Value turns = columnTiles, splits;
  if (plan.splits > 1) {
    splits = AttentionSplit::createCount(code, operands,
                                         code.mulIndex(rowTiles, columnTiles));
    turns = code.mulIndex(columnTiles, splits);
  }
  code.tiles(rowTiles, turns, [&](TileCode inner, Value rowTile, Value turn) {
    Value batch = inner.divIndex(rowTile, blocks);
    Value block = inner.remIndex(rowTile, blocks);
    // The tiles with the most keys first.
    if (operands.op.getScores().getCausal())
      block = inner.subIndex(inner.subIndex(blocks, inner.index(1)), block);
    Value firstRow = inner.mulIndex(block, used);
    Value usedRows = inner.minIndex(inner.subIndex(rows, firstRow), used);
    Value columnTile = splits ? inner.divIndex(turn, splits) : turn;
    AttentionTile tile(inner, operands, batch, firstRow, usedRows, columnTile);
    AttentionSequences sequences(inner, tile);
    // Both ends of the range of a query only grow with its position.
    KeyRange keys = {sequences.getFirst().keys.begin,
                     sequences.getLast().keys.end};
    if (!splits)
      return AttentionOutput(tile, sequences)
          .write(inner, addKeys(inner, tile, sequences, keys));
    Value before = inner.mulIndex(rowTile, columnTiles);
    AttentionSplit split(splits, inner.remIndex(turn, splits),
                         inner.addIndex(before, columnTile), tile, sequences);
    split.shareKeys(
        inner, addKeys(inner, tile, sequences, split.chooseKeys(inner, keys)));
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
  if (failed(checkSdpaLimits(op, "GPU")))
    return failure();
  AttentionPlan plan = planAttention(op, chip);
  KernelShell shell = createKernelShell(atModule, kernel, name, plan.schedule,
                                        plan.getWorkspaces());
  buildTiles({shell.builder, kernel.getLoc()}, plan, shell);
  return shell.kernel;
}
