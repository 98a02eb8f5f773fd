//===- CheckLeftovers.cpp - rejects ops that no launch runs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckLeftovers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Transforms/Shard/Ranks.h"

using namespace mlir;
using namespace parablock;

static bool isCollective(Operation *op) {
  return isa<shard::AllReduceOp, shard::AllGatherOp, shard::ReduceScatterOp,
             shard::AllSliceOp>(op) ||
         block::isRowExchange(op);
}

/// Returns true for a rank step, which launchers support.
static bool isRankStep(Operation *op) {
  return isCollective(op) ||
         (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op) &&
          countRanks(op->getParentOfType<ModuleOp>()));
}

/// Fails if an op that is not a launch reads `value`, which changes
/// between runs. Ops that only read weights run before, and the launcher
/// computes sizes itself.
static LogicalResult checkUsers(Value value) {
  for (Operation *user : value.getUsers()) {
    // A reshape of the same memory.
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            user)) {
      if (failed(checkUsers(user->getResult(0))))
        return failure();
      continue;
    }
    if (!isa<tile::LaunchOp, tensor::DimOp>(user) && !isRankStep(user) &&
        !user->hasTrait<OpTrait::IsTerminator>())
      return user->emitError()
             << "no GPU code for '" << user->getName() << "' outside a kernel";
  }
  return success();
}

LogicalResult parablock::checkLeftovers(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      for (BlockArgument argument : function.getArguments())
        if (function.getArgAttr(argument.getArgNumber(), block::kInputAttr) &&
            failed(checkUsers(argument)))
          return WalkResult::interrupt();
    if (isa<block::LayerOp, tile::LaunchOp>(op) || isCollective(op))
      for (Value value : op->getResults())
        if (failed(checkUsers(value)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
