//===- Pipeline.cpp - tile.pipeline ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pipelines.h"

#include "Copies.h"
#include "PipelinePatterns.h"
#include "TileToNVVM.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

/// Copies the only block of `region` to where the builder is, with `values` for
/// its arguments; what it yields.
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

namespace {
struct LowerPipeline : public TilePattern<PipelineOp> {
  using TilePattern::TilePattern;

  /// Pipelines may stand in pipelines, as deep as they are written.
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
      rewriter.replaceOp(op, adaptor.getInits()); // nobody looks at them
    }
    return success();
  }
};
} // namespace

void parablock::tile::populatePipelinePatterns(TypeConverter &converter,
                                               RewritePatternSet &patterns,
                                               const LoweringContext &context) {
  populateMultiplyPatterns(converter, patterns, context);
  populateRegisterPatterns(converter, patterns, context);
  populateStagePatterns(converter, patterns, context);
  patterns.add<LowerPipeline>(converter, patterns.getContext(), context);
}
