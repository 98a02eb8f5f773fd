//===- PipelineRoles.cpp - pipelines between warps with roles -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   producer: for step: wait until the stage is empty; fill it
//   consumer: for step: wait until it is full; multiply; release the stage of
//             the products that are complete
//
// A phase of a barrier completes when all have arrived and all bytes are
// there. Waiting for the phase before the first returns at once: so the
// producer starts, with the opposite parity of consumers. In a cluster, a
// stage is empty once the consumers of all its CTAs have released it, and may
// be filled by all their producers: each expects the bytes for its own
// memory.
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"

#include "Copies.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace parablock::tile;

void PipelineLowering::waitFor(Value barrier, Value parity) {
  constexpr int64_t nanoseconds = 10'000'000; // asleep, before it checks again
  NVVM::MBarrierTryWaitParityOp::create(builder, barrier, parity,
                                        builder.constant(nanoseconds));
}

void PipelineLowering::expectBytes(ArrayRef<CopyOp> copies, Value barrier) {
  llvm::MapVector<Block *, int64_t> bytes;
  for (CopyOp copy : copies)
    bytes[copy->getBlock()] += getCopiedBytes(copy);
  OpBuilder::InsertionGuard guard(builder);
  if (bytes.size() == 1 && bytes.front().first == builder.getInsertionBlock()) {
    builder.setInsertionPoint(copies.front());
    NVVM::MBarrierArriveExpectTxOp::create(
        builder, Type(), barrier, builder.constant(bytes.front().second),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
    return;
  }
  // Each branch adds its expected bytes; the arrival comes after all of them.
  NVVM::MBarrierArriveOp::create(builder, builder.getI64Type(), barrier,
                                 Value());
  for (auto [block, count] : bytes) {
    auto first = llvm::find_if(copies, [block = block](CopyOp copy) {
      return copy->getBlock() == block;
    });
    builder.setInsertionPoint(*first);
    NVVM::MBarrierExpectTxOp::create(builder, barrier, builder.constant(count));
  }
}

Value PipelineLowering::waitForLaunch() {
  Value hasWaited = ring.loadHasWaited(builder);
  auto first = scf::IfOp::create(builder, builder.getI32Type(), hasWaited,
                                 /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(first.thenBlock());
  scf::YieldOp::create(builder, builder.constant(0));
  builder.setInsertionPointToStart(first.elseBlock());
  Value ahead = builder.createOrFold<arith::MinSIOp>(
      steps, builder.constant(ring.getStages()));
  auto loop = scf::ForOp::create(builder, builder.constant(0), ahead,
                                 builder.constant(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    // The stages are unused so far, and are taken in order.
    produceConstants(loop.getInductionVar(), loop.getInductionVar());
  }
  NVVM::GriddepcontrolOp::create(builder, NVVM::GridDepActionKind::wait);
  ring.storeHasWaited(builder);
  scf::YieldOp::create(builder, ahead);
  return first.getResult(0);
}

void PipelineLowering::createProducer() {
  SharedRing::State start = ring.loadState(builder);
  Value ahead = pipeline.getWaits() ? waitForLaunch() : Value();
  auto loop = scf::ForOp::create(builder, builder.constant(0), steps,
                                 builder.constant(1),
                                 ValueRange{start.stage, start.parity});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SharedRing::State state = {loop.getRegionIterArg(0),
                               loop.getRegionIterArg(1)};
    if (ahead)
      produceBehind(ahead, loop.getInductionVar(), state);
    else
      produceWithMaps(loop.getInductionVar(), state);
    if (pipeline.isNest()) // the inner pipelines copy tiles, too
      consume(loop.getInductionVar(), state.stage, inits);
    SharedRing::State next = ring.createNext(builder, state);
    scf::YieldOp::create(builder, ValueRange{next.stage, next.parity});
  }
  ring.storeState(builder, {loop.getResult(0), loop.getResult(1)});
}

void PipelineLowering::release(Value stage, Value condition, int64_t group) {
  // Lane i notifies CTA i of the cluster: all of them fill the stage.
  int64_t cluster = context.schedule.getSharing();
  Value lane = builder.laneIndex();
  Value arrives = builder.compare(arith::CmpIPredicate::ult, lane,
                                  builder.constant(cluster));
  if (condition)
    arrives = builder.conjunction(arrives, condition);
  Value barrier = ring.createEmptyBarrier(builder, stage, group);
  if (cluster == 1) {
    builder.when(arrives, [&] {
      NVVM::MBarrierArriveOp::create(builder, builder.getI64Type(), barrier,
                                     Value());
    });
    return;
  }
  // This ends reads only, whose order needs no release to the cluster: that
  // would be a barrier of the whole GPU, which waits for every earlier store.
  // The backend may map the address in all lanes, so each lane names an
  // existing CTA.
  Value remote = NVVM::MapaOp::create(
      builder, LLVM::LLVMPointerType::get(builder.getContext(), 7), barrier,
      builder.remainder(lane, cluster));
  builder.when(arrives, [&] {
    NVVM::MBarrierArriveOp::create(builder, Type(), remote, Value());
  });
}

/// Returns whether threads read elements of the buffers, beside products.
static bool areRead(PipelineOp pipeline) {
  ValueRange buffers = pipeline.getConsume().getArguments().slice(
      1, pipeline.getBuffers().size());
  return llvm::any_of(buffers, [](Value buffer) {
    return llvm::any_of(buffer.getUsers(), llvm::IsaPred<LoadOp>);
  });
}

bool PipelineLowering::hasEnds() {
  return pipeline.getProduce()
      .walk([](CopyOp copy) {
        return copy.getEnd() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Boxes of tensor maps are bounded by the tensor only.
void PipelineLowering::clearPastEnds(Value step, Value stage) {
  for (CopyOp copy : cloneProduce(step, stage))
    replaceCopy(copy, [&](DeviceBuilder &atCopy) {
      if (copy.getEnd())
        createZerosPastEnd(atCopy, context, copy);
    });
}

SmallVector<Value> PipelineLowering::createConsumer() {
  // Products by wgmma run on while the next ones are issued.
  bool isAsynchronous = context.schedule.getMultiply() == MultiplyUnit::Wgmma;
  // One lane of a warp releases what the others have read.
  bool isShared = !isAsynchronous || areRead(pipeline);
  Value zero = builder.constant(0);
  SharedRing::State start = ring.loadState(builder);
  if (getConstantIntValue(steps) == 1) {
    // Without a loop, so that accumulators visibly begin as zeros.
    waitFor(ring.createFullBarrier(builder, start.stage), start.parity);
    if (hasEnds())
      clearPastEnds(zero, start.stage);
    SmallVector<Value> carried = consume(zero, start.stage, inits);
    if (isAsynchronous)
      NVVM::WgmmaWaitGroupSyncOp::create(builder, 0);
    if (isShared)
      createWarpBarrier(builder, pipeline.getLoc());
    release(start.stage);
    ring.storeState(builder, ring.createNext(builder, start));
    return carried;
  }
  SmallVector<Value> first = {start.stage, start.parity, start.stage};
  llvm::append_range(first, inits);
  auto loop =
      scf::ForOp::create(builder, zero, steps, builder.constant(1), first);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    SharedRing::State state = {loop.getRegionIterArg(0),
                               loop.getRegionIterArg(1)};
    Value previous = loop.getRegionIterArg(2);
    waitFor(ring.createFullBarrier(builder, state.stage), state.parity);
    if (hasEnds())
      clearPastEnds(step, state.stage);
    SmallVector<Value> carried = consume(
        step, state.stage, ValueRange(loop.getRegionIterArgs()).drop_front(3));
    if (isAsynchronous)
      NVVM::WgmmaWaitGroupSyncOp::create(builder, 1);
    if (isShared)
      createWarpBarrier(builder, pipeline.getLoc());
    if (isAsynchronous)
      release(previous, isLess(zero, step));
    else
      release(state.stage);
    SharedRing::State next = ring.createNext(builder, state);
    SmallVector<Value> yielded = {next.stage, next.parity, state.stage};
    llvm::append_range(yielded, carried);
    scf::YieldOp::create(builder, yielded);
  }
  if (isAsynchronous) {
    NVVM::WgmmaWaitGroupSyncOp::create(builder, 0);
    release(loop.getResult(2), isLess(zero, steps));
  }
  ring.storeState(builder, {loop.getResult(0), loop.getResult(1)});
  return SmallVector<Value>(loop.getResults().drop_front(3));
}
