//===- Pipeline.cpp - lowers pipelines in software ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pipelines.h"

#include "Copies.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

/// Copies the only block of `region` to the insertion point, with `values` for
/// its arguments; returns the yielded values.
static SmallVector<Value> cloneBody(DeviceBuilder &builder, Region &region,
                                    ValueRange values,
                                    SmallVectorImpl<Operation *> &clones) {
  IRMapping mapping;
  mapping.map(region.getArguments(), values);
  for (Operation &op : region.front().without_terminator())
    clones.push_back(builder.clone(op, mapping));
  SmallVector<Value> yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

SmallVector<Value> PipelineLowering::castArguments(Value step, Value stage) {
  SmallVector<Value> values = {builder.toIndex(step)};
  for (auto [buffer, address] : llvm::zip_equal(
           pipeline.getBuffers(), ring.createBuffers(builder, stage)))
    values.push_back(builder.cast(buffer.getType(), address));
  return values;
}

SmallVector<CopyOp> PipelineLowering::cloneProduce(Value step, Value stage) {
  SmallVector<Operation *> clones;
  cloneBody(builder, pipeline.getProduce(), castArguments(step, stage), clones);
  SmallVector<CopyOp> copies;
  for (Operation *clone : clones)
    clone->walk([&](CopyOp copy) { copies.push_back(copy); });
  return copies;
}

void PipelineLowering::replaceCopy(
    CopyOp copy, llvm::function_ref<void(DeviceBuilder &)> create) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(copy);
  DeviceBuilder atCopy(copy.getLoc(), rewriter);
  create(atCopy);
  rewriter.eraseOp(copy);
}

void PipelineLowering::produce(Value step, Value stage) {
  for (CopyOp copy : cloneProduce(step, stage))
    replaceCopy(copy, [&](DeviceBuilder &atCopy) {
      createThreadCopy(atCopy, context, copy);
    });
}

void PipelineLowering::produceWithMaps(Value step, SharedRing::State state) {
  Value before = builder.exclusiveOr(state.parity, builder.constant(1));
  auto waitUntilEmpty = [&](int64_t group) {
    waitFor(ring.createEmptyBarrier(builder, state.stage, group), before);
  };
  SmallVector<Value> full;
  for (int64_t group = 0; group < ring.getNumGroups(); ++group)
    full.push_back(ring.createFullBarrier(builder, state.stage, group));
  waitUntilEmpty(0);

  SmallVector<int64_t> groupOfCopy;
  pipeline.getProduce().walk([&](CopyOp copy) {
    auto buffer = cast<BlockArgument>(copy.getBuffer());
    groupOfCopy.push_back(ring.getGroup(buffer.getArgNumber() - 1));
  });
  SmallVector<SmallVector<CopyOp>> groups(ring.getNumGroups());
  for (auto [group, copy] :
       llvm::zip_equal(groupOfCopy, cloneProduce(step, state.stage)))
    groups[group].push_back(copy);
  for (auto [group, copies] : llvm::enumerate(groups)) {
    if (group > 0) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(copies.front());
      waitUntilEmpty(group);
    }
    expectBytes(copies, full[group]);
    for (CopyOp copy : copies)
      replaceCopy(copy, [&, group = group](DeviceBuilder &atCopy) {
        createTensorCopy(atCopy, context, copy, full[group]);
      });
  }
}

void PipelineLowering::produceConstants(Value step, Value stage) {
  Value full = ring.createFullBarrier(builder, stage);
  SmallVector<CopyOp> copies = cloneProduce(step, stage);
  expectBytes(copies, full);
  for (CopyOp copy : copies)
    replaceCopy(copy, [&](DeviceBuilder &atCopy) {
      if (isConstant(copy))
        createTensorCopy(atCopy, context, copy, full);
    });
}

void PipelineLowering::produceRest(Value step, Value stage) {
  Value full = ring.createFullBarrier(builder, stage);
  for (CopyOp copy : cloneProduce(step, stage))
    replaceCopy(copy, [&](DeviceBuilder &atCopy) {
      if (!isConstant(copy))
        createTensorCopy(atCopy, context, copy, full);
    });
}

void PipelineLowering::produceBehind(Value ahead, Value step,
                                     SharedRing::State state) {
  Value before = builder.exclusiveOr(state.parity, builder.constant(1));
  waitFor(ring.createEmptyBarrier(builder, state.stage), before);
  builder.when(builder.compare(arith::CmpIPredicate::sge, step, ahead),
               [&] { produceConstants(step, state.stage); });
  produceRest(step, state.stage);
}

SmallVector<Value> PipelineLowering::consume(Value step, Value stage,
                                             ValueRange carried) {
  SmallVector<Value> values = castArguments(step, stage);
  for (auto [init, value] : llvm::zip_equal(pipeline.getInits(), carried))
    values.push_back(builder.cast(init.getType(), value));
  SmallVector<Operation *> clones;
  SmallVector<Value> yielded =
      cloneBody(builder, pipeline.getConsume(), values, clones);
  for (auto [value, before] : llvm::zip_equal(yielded, carried))
    value = builder.cast(before.getType(), value);
  return yielded;
}

Value PipelineLowering::isLess(Value a, Value b) {
  return builder.compare(arith::CmpIPredicate::slt, a, b);
}

//===----------------------------------------------------------------------===//
// Warps that do everything
//===----------------------------------------------------------------------===//

void PipelineLowering::commitCopies() {
  if (context.schedule.getCopies() == CopyUnit::Async)
    NVVM::CpAsyncCommitGroupOp::create(builder);
}

void PipelineLowering::waitForCopies(int64_t pending) {
  if (context.schedule.getCopies() == CopyUnit::Async)
    NVVM::CpAsyncWaitGroupOp::create(builder, static_cast<uint32_t>(pending));
  createComputeBarrier(builder, pipeline.getLoc(), context);
}

/// With S stages, copies for the step after the next S - 2 are begun before a
/// step is multiplied:
///
///   barrier; produce 0 .. S-2
///   for step: wait for its copies; barrier; produce step + S-1; consume step
///
/// The barrier in the loop ensures that every thread's copies for this step
/// have completed, and that every warp is done with the previous step, whose
/// stage is filled next. The barrier at the start does the same for the last
/// steps of the previous pipeline.
SmallVector<Value> PipelineLowering::createInSoftware() {
  int64_t ahead = ring.getStages() - 1;
  Value zero = builder.constant(0), one = builder.constant(1);
  // An empty group replaces that of a missing step, so that counts are correct.
  auto produceIfAny = [&](Value step, Value stage) {
    builder.when(isLess(step, steps), [&] { produce(step, stage); });
    commitCopies();
  };

  createComputeBarrier(builder, pipeline.getLoc(), context);
  if (ahead > 0) {
    auto prologue =
        scf::ForOp::create(builder, zero, builder.constant(ahead), one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(prologue.getBody());
    Value step = prologue.getInductionVar();
    produceIfAny(step, step);
  }

  SmallVector<Value> start(inits);
  start.push_back(zero);
  auto loop = scf::ForOp::create(builder, zero, steps, one, start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Value stage = loop.getRegionIterArgs().back();
  if (ahead > 0) {
    waitForCopies(ahead - 1);
    produceIfAny(builder.add(step, ahead),
                 ring.createNext(builder, stage, ahead));
  } else {
    createComputeBarrier(builder, pipeline.getLoc(), context);
    produceIfAny(step, stage);
    waitForCopies(0);
  }
  SmallVector<Value> next =
      consume(step, stage, ValueRange(loop.getRegionIterArgs()).drop_back());
  next.push_back(ring.createNext(builder, stage));
  scf::YieldOp::create(builder, next);
  return SmallVector<Value>(loop.getResults().drop_back());
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

namespace {
/// Lowers tile.between outside such loops.
struct LowerBetween : public TilePattern<BetweenOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(BetweenOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DeviceBuilder builder(op.getLoc(), rewriter);
    Value hasBegun = builder.compare(arith::CmpIPredicate::sle,
                                     adaptor.getFrom(), adaptor.getStep());
    Value goesOn = builder.compare(arith::CmpIPredicate::slt, adaptor.getStep(),
                                   adaptor.getTo());
    rewriter.replaceOp(op, builder.conjunction(hasBegun, goesOn));
    return success();
  }
};

struct LowerPipeline : public TilePattern<PipelineOp> {
  using TilePattern::TilePattern;

  /// Pipelines may be nested to any depth.
  void initialize() { setHasBoundedRewriteRecursion(); }

  LogicalResult
  matchAndRewrite(PipelineOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    PipelineLowering pipeline(op, adaptor.getSteps(), adaptor.getInits(),
                              lowering, rewriter);
    std::optional<Role> role = op.getRole();
    if (!role) {
      rewriter.replaceOp(op, pipeline.createInSoftware());
    } else if (*role == Role::Consumer) {
      rewriter.replaceOp(op, pipeline.isOverlapping()
                                 ? pipeline.createOverlappingConsumer()
                                 : pipeline.createConsumer());
    } else {
      pipeline.createProducer();
      rewriter.replaceOp(op, adaptor.getInits()); // these are not read
    }
    return success();
  }
};
} // namespace

void parablock::tile::addPipelinePatterns(TilePatterns &patterns) {
  patterns.add<LowerBetween, LowerPipeline>();
}
