//===- ShareCopies.cpp - what the CTAs of a cluster copy alike ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The CTAs of a cluster work in lockstep on neighbouring rows of one column of
// tiles: a copy that does not depend on the row is the same in all of them.
// Each CTA then copies a part of its rows into the memory of all. A stage may
// be filled once all CTAs are done with it, so all must execute the same
// pipelines, with equally many steps. If the number of rows is odd, the last
// CTA does so for a row past the end: it copies zeros or unused data, and its
// tile.rows are empty.
//
//===----------------------------------------------------------------------===//

#include "ColumnCount.h"
#include "KernelPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILESHARECOPIES
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// Returns whether `value` may depend on the row of `tiles`. Loops and branches
/// are assumed to.
static bool mayDependOnRow(Value value, TilesOp tiles) {
  return parablock::walkSources(
             value,
             [&](Value source) -> WalkResult {
               if (Operation *op = source.getDefiningOp())
                 return failure(op->getNumRegions() > 0);
               auto argument = cast<BlockArgument>(source);
               Operation *owner = argument.getOwner()->getParentOp();
               return failure(owner == tiles
                                  ? argument.getArgNumber() == 0
                                  : !isa<KernelOp, PipelineOp>(owner));
             })
      .wasInterrupted();
}

/// Returns whether all CTAs of a cluster execute `copy` with the same operands.
static bool isAlike(CopyOp copy, TilesOp tiles) {
  for (Operation *op = copy; !isa<PipelineOp>(op); op = op->getParentOp())
    for (Value operand : op->getOperands())
      if (operand != copy.getBuffer() && mayDependOnRow(operand, tiles))
        return false;
  return true;
}

static LogicalResult sharePipeline(PipelineOp pipeline, int64_t cluster) {
  auto tiles = dyn_cast<TilesOp>(pipeline->getParentOp());
  if (!tiles || mayDependOnRow(pipeline.getSteps(), tiles))
    return emitError(pipeline.getLoc())
           << "a cluster expects pipelines directly in tile.tiles, with a "
              "number of steps that does not depend on the row";
  pipeline.getProduce().walk([&](CopyOp copy) {
    // Each part has whole groups of 8 rows.
    if (static_cast<int64_t>(copy.getCount()) % (8 * cluster) == 0 &&
        isAlike(copy, tiles))
      copy.setShared(true);
  });
  return success();
}

/// No rows of a tile past the end.
static void limitRows(RowsOp rows, TilesOp tiles) {
  OpBuilder builder(rows);
  Location loc = rows.getLoc();
  Value isInside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            tiles.getBody().getArgument(0), tiles.getRows());
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  rows.getCountMutable().assign(
      arith::SelectOp::create(builder, loc, isInside, rows.getCount(), none));
}

static LogicalResult shareCopies(Operation *op, int64_t cluster) {
  if (isa<JoinOp>(op))
    return emitError(op->getLoc()) << "a cluster expects no tile.join";
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return sharePipeline(pipeline, cluster);
  auto rows = dyn_cast<RowsOp>(op);
  auto tiles = op->getParentOfType<TilesOp>();
  if (rows && tiles && !rows.getGrid() && !tiles.getInStep() &&
      getConstant(tiles.getRows()).value_or(1) % cluster)
    limitRows(rows, tiles);
  // After all that is in it.
  if (auto whole = dyn_cast<TilesOp>(op))
    whole.setInStep(true);
  return success();
}

namespace {
struct TileShareCopies
    : public KernelPass<parablock::impl::TileShareCopiesBase<TileShareCopies>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    int64_t cluster = kernel.getSchedule().getSharing();
    if (cluster == 1)
      return success();
    WalkResult result = kernel.walk([&](Operation *op) {
      return failed(shareCopies(op, cluster)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
