//===- BlockShard.cpp - pass block-shard ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShardRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Analysis/Collectives.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Dialect/Block/DissolveKernels.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/Shard/Ranks.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSHARD
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kGrid = "ranks";

/// More devices than any model has heads.
constexpr int64_t kMaxRanks = 4096;

struct BlockShardPass : public block::impl::BlockShardBase<BlockShardPass> {
  using BlockShardBase::BlockShardBase;

  void runOnOperation() final {
    if (failed(shard()))
      signalPassFailure();
  }

private:
  LogicalResult shard() {
    ModuleOp module = getOperation();
    if (ranks < 1 || ranks > kMaxRanks)
      return module.emitError() << "expected ranks to be in [1, " << kMaxRanks
                                << "], got " << int64_t(ranks);
    if (std::optional<int64_t> known = countRanks(module))
      return module.emitError()
             << "expected a module of one rank, got one of " << *known;
    FunctionOpInterface function = findMainFunction(module, functionName);
    if (!function || failed(checkSequence(function)))
      return failure();
    if (expertParallel && failed(checkExpertParallel(function)))
      return failure();
    if (ranks == 1) {
      recordNoMatch(function, kShardPass, "second rank");
      return success();
    }
    bool hasKernels = false;
    if (failed(lowerToSteps(module, hasKernels)))
      return failure();
    if (expertParallel && failed(checkExperts(function)))
      return failure();
    ShardPlan plan(ranks);
    if (failed(plan.make(function)))
      return failure();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    mlir::shard::GridOp::create(
        builder, module.getLoc(), builder.getStringAttr(kGrid),
        builder.getDenseI64ArrayAttr({static_cast<int64_t>(ranks)}));
    ShardRewriter(function, plan, kGrid, {sequenceParallel, expertParallel})
        .run();
    record(function);
    return hasKernels ? formKernels(module) : success();
  }

  /// A rank's share of the rows is the same on all ranks.
  LogicalResult checkSequence(FunctionOpInterface function) {
    if (!sequenceParallel)
      return success();
    WalkResult result = function->walk([&](LayerOp layer) {
      for (Type type : layer.getResultTypes()) {
        auto tensor = cast<RankedTensorType>(type);
        int64_t rows =
            tensor.getRank() == 3 ? tensor.getDimSize(1) : ShapedType::kDynamic;
        if (ShapedType::isDynamic(rows) || rows % ranks == 0)
          continue;
        layer.emitOpError()
            << "has sequences that cannot be split: expected "
            << "a multiple of " << int64_t(ranks) << " rows, got " << rows;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Rows are exchanged between ranks that have shares of them.
  LogicalResult checkExpertParallel(FunctionOpInterface function) {
    if (!sequenceParallel)
      return function.emitError("expected sequence-parallel=true beside "
                                "expert-parallel=true, as ranks exchange rows "
                                "that they have shares of");
    WalkResult result = function->walk([](Operation *op) {
      return isa<MoeOp, ExpertsOp>(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
    });
    return result.wasInterrupted()
               ? success()
               : function.emitError("expected experts, which "
                                    "expert-parallel=true divides, found none");
  }

  /// Each rank has as many experts.
  LogicalResult checkExperts(FunctionOpInterface function) {
    WalkResult result = function->walk([&](ExpertsOp op) {
      int64_t experts = getDim(op.getUpWeight(), 0);
      if (!isWeightOnly(op.getUpWeight()) || !isWeightOnly(op.getDownWeight()))
        op.emitOpError("has stacks that are no parameters, so that no rank "
                       "has experts of its own: expected block-shard without "
                       "expert-parallel=true");
      else if (experts % ranks != 0)
        op.emitOpError() << "has experts that ranks cannot share: expected a "
                         << "multiple of " << int64_t(ranks)
                         << " with expert-parallel=true, got " << experts;
      else
        return WalkResult::advance();
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Down from level 1, up from level 3.
  LogicalResult lowerToSteps(ModuleOp module, bool &hasKernels) {
    hasKernels = dissolveKernels(module);
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createBlockExpand());
    WalkResult hasLevel1 = module.walk([](Operation *op) {
      return isComposite(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return hasLevel1.wasInterrupted() ? runPipeline(manager, module)
                                      : success();
  }

  LogicalResult formKernels(ModuleOp module) {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createBlockFormKernels({chip}));
    return runPipeline(manager, module);
  }

  void record(FunctionOpInterface function) {
    function->walk([&](LayerOp layer) {
      CollectiveCounts counts = countCollectives(layer);
      recordPassed(
          layer, kShardPass, "heads and hidden values split over ranks",
          {{"ranks", static_cast<double>(ranks)},
           {"all_reduce", static_cast<double>(counts.allReduce)},
           {"reduce_scatter", static_cast<double>(counts.reduceScatter)},
           {"all_gather", static_cast<double>(counts.allGather)},
           {"all_to_all", static_cast<double>(counts.allToAll)}});
    });
  }
};
} // namespace
