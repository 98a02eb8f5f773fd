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
  RunningSoftmax::Values values = code.pipeline(
      code.index(1), plan.getQueryBuffer(),
      RunningSoftmax::createInits(code, plan), plan.queryStages,
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
  Value &totals = values[RunningSoftmax::Totals];
  totals = code.combine(tile::Reduction::Add, totals);
  return values;
}

/// The keys that any query of the tile sees: both ends of a query's range only
/// grow with its position.
static KeyRange getKeys(const AttentionSequences &sequences) {
  return {sequences.getFirst().keys.begin, sequences.getLast().keys.end};
}

static AttentionTile createTile(TileCode code,
                                const AttentionOperands &operands, Value batch,
                                Value block, Value columnTile) {
  Value used = code.index(operands.plan.getUsedRows());
  Value rows =
      code.mulIndex(operands.queryRows, code.index(operands.plan.packed));
  Value firstRow = code.mulIndex(block, used);
  Value usedRows = code.minIndex(code.subIndex(rows, firstRow), used);
  return AttentionTile(code, operands, batch, firstRow, usedRows, columnTile);
}

/// Tiles with all their keys. Those heads (of a batch row each) are worked on
/// at a time whose keys and values the cache holds, block by block of queries.
/// Under a causal mask the last blocks cost the most: groups of heads go from
/// the last block to the first and back, in turns that end with the first, so
/// that what one tile costs is near to what the one before did, and all CTAs
/// get about the same.
static void buildWholeTiles(TileCode code, const AttentionOperands &operands,
                            Value blocks, Value columnTiles) {
  const AttentionPlan &plan = operands.plan;
  Value one = code.index(1), size = code.index(plan.group);
  Value pairs = code.mulIndex(code.dim(operands.get(operands.op.getQuery()), 0),
                              columnTiles);
  Value lastGroup = code.divIndex(code.subIndex(pairs, one), size);
  Value lastBlock = code.subIndex(blocks, one);
  bool isCausal = operands.op.getScores().getCausal();
  auto tiles =
      code.tiles(pairs, blocks, [&](TileCode inner, Value pair, Value block) {
        if (isCausal) {
          Value behind = inner.subIndex(lastGroup, inner.divIndex(pair, size));
          Value isBack = inner.lessIndex(
              inner.index(0), inner.remIndex(behind, inner.index(2)));
          block = inner.select(isBack, block, inner.subIndex(lastBlock, block));
        }
        AttentionTile tile =
            createTile(inner, operands, inner.divIndex(pair, columnTiles),
                       block, inner.remIndex(pair, columnTiles));
        AttentionSequences sequences(inner, tile);
        AttentionOutput(tile, sequences)
            .write(inner, addKeys(inner, tile, sequences, getKeys(sequences)));
      });
  tiles.setBand(plan.group);
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
  if (plan.splits == 1)
    return buildWholeTiles(code, operands, blocks, columnTiles);
  Value splits = AttentionSplit::createCount(
      code, operands, code.mulIndex(rowTiles, columnTiles));
  Value turns = code.mulIndex(columnTiles, splits);
  code.tiles(rowTiles, turns, [&](TileCode inner, Value rowTile, Value turn) {
    Value batch = inner.divIndex(rowTile, blocks);
    Value block = inner.remIndex(rowTile, blocks);
    Value columnTile = inner.divIndex(turn, splits);
    AttentionTile tile = createTile(inner, operands, batch, block, columnTile);
    AttentionSequences sequences(inner, tile);
    Value before = inner.mulIndex(rowTile, columnTiles);
    AttentionSplit split(splits, inner.remIndex(turn, splits),
                         inner.addIndex(before, columnTile), tile, sequences);
    KeyRange keys = split.chooseKeys(inner, getKeys(sequences));
    split.shareKeys(inner, addKeys(inner, tile, sequences, keys));
  });
}

/// Finds the attention of a kernel, where there is code for it and for what
/// rounds its rows.
static FailureOr<block::SdpaOp> findAttention(block::KernelOp kernel) {
  block::SdpaOp op;
  std::optional<block::EncodedAttention> encoded;
  for (Operation &inner : kernel.getBody().front().without_terminator()) {
    if (encoded && encoded->contains(&inner))
      continue;
    if (op || !isa<block::SdpaOp>(inner))
      return inner.emitError() << "no GPU code for '" << inner.getName()
                               << "' in a kernel of attention";
    op = cast<block::SdpaOp>(inner);
    encoded = block::findEncoded(op);
  }
  if (!op || (kernel.getNumResults() != 1 && !encoded))
    return kernel.emitError() << "expected one 'block.sdpa' and its result";
  if (failed(checkSdpaLimits(op, "GPU")))
    return failure();
  return op;
}

static tile::KernelOp buildKernel(OpBuilder &atModule, block::KernelOp kernel,
                                  StringRef name, const AttentionPlan &plan) {
  KernelShell shell = createKernelShell(atModule, kernel, name, plan.schedule,
                                        plan.getWorkspaces());
  buildTiles({shell.builder, kernel.getLoc()}, plan, shell);
  return shell.kernel;
}

FailureOr<tile::KernelOp>
parablock::buildAttentionKernel(OpBuilder &atModule, block::KernelOp kernel,
                                StringRef name, StringRef chip) {
  FailureOr<block::SdpaOp> op = findAttention(kernel);
  if (failed(op))
    return failure();
  return buildKernel(atModule, kernel, name, planAttention(*op, chip));
}

FailureOr<FewRowsKernel>
parablock::buildFewQueriesKernel(OpBuilder &atModule, block::KernelOp kernel,
                                 StringRef name, StringRef chip) {
  FailureOr<block::SdpaOp> op = findAttention(kernel);
  if (failed(op))
    return failure();
  auto query = dyn_cast<BlockArgument>(op->getQuery());
  // Where keys may be those of the queries, they are as few, and one tile of
  // many takes them.
  auto isOpen = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).isDynamicDim(1);
  };
  bool hasOthers = op->getPastKey() || op->getPastLengths() || op->getPages() ||
                   !isOpen(op->getKey());
  if (!query || !hasOthers || !isOpen(query))
    return FewRowsKernel();
  FewRowsKernel made;
  made.most = getMostFewQueries(*op);
  made.kernel =
      buildKernel(atModule, kernel, name, planAttention(*op, chip, made.most));
  made.sizes.emplace_back(query.getArgNumber(), 1);
  return made;
}
