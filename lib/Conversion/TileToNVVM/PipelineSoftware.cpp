//===- PipelineSoftware.cpp - pipelines of warps that do everything -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With S stages, copies for the step after the next S - 2 are begun before a
// step is multiplied:
//
//   barrier; produce 0 .. S-2
//   for step: wait for its copies; barrier; produce step + S-1; consume step
//
// The barrier in the loop does two things: every thread's copies for this step
// have come, and every warp is done with the step before, whose stage is filled
// next. The barrier at the start holds for the last steps of the pipeline
// before.
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

void PipelineLowering::commitCopies() {
  if (context.schedule.getCopies() == CopyUnit::Async)
    NVVM::CpAsyncCommitGroupOp::create(builder);
}

void PipelineLowering::waitForCopies(int64_t pending) {
  if (context.schedule.getCopies() == CopyUnit::Async)
    NVVM::CpAsyncWaitGroupOp::create(builder, static_cast<uint32_t>(pending));
  createComputeBarrier(builder, pipeline.getLoc(), context);
}

SmallVector<Value> PipelineLowering::createInSoftware() {
  int64_t ahead = ring.getStages() - 1;
  Value zero = builder.constant(0), one = builder.constant(1);
  // An empty group stands for a step that there is not, so that counts hold.
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
