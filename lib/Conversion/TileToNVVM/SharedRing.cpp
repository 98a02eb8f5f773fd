//===- SharedRing.cpp - mbarriers, stages and phases of a ring ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SharedRing.h"

#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::tile;

static constexpr int64_t barrierBytes = 8;

SharedRing::SharedRing(PipelineOp pipeline, ScheduleAttr schedule)
    : stages(pipeline.getStages().value_or(schedule.getStages())),
      hasBarriers(schedule.getProducers() > 0), waits(pipeline.getWaits()) {
  offset = pipeline.getOffset().value_or(0);
  if (std::optional<ArrayRef<int64_t>> deferred = pipeline.getDeferred()) {
    llvm::append_range(deferredBuffers, *deferred);
    numGroups = 2;
  }
  for (BlockArgument buffer : pipeline.getBuffers()) {
    bufferOffsets.push_back(stageBytes);
    stageBytes += llvm::alignTo(cast<BufferType>(buffer.getType()).getBytes(),
                                ringAlignment);
  }
}

int64_t SharedRing::getBytes() const {
  return stages *
         (stageBytes + (hasBarriers ? 2 * numGroups * barrierBytes : 0));
}

SmallVector<Value> SharedRing::createBuffers(DeviceBuilder &builder,
                                             Value stage) const {
  Value base =
      builder.offset(createSharedAddress(builder, builder.getLoc(), offset),
                     builder.multiply(stage, stageBytes));
  SmallVector<Value> buffers;
  for (int64_t bufferOffset : bufferOffsets)
    buffers.push_back(builder.offset(base, bufferOffset));
  return buffers;
}

Value SharedRing::createBarrier(DeviceBuilder &builder, int64_t first,
                                Value stage) const {
  int64_t start = offset + stages * stageBytes + first * barrierBytes;
  return builder.offset(createSharedAddress(builder, builder.getLoc(), start),
                        builder.multiply(stage, barrierBytes));
}

Value SharedRing::createFullBarrier(DeviceBuilder &builder, Value stage,
                                    int64_t group) const {
  return createBarrier(builder, 2 * group * stages, stage);
}

Value SharedRing::createEmptyBarrier(DeviceBuilder &builder, Value stage,
                                     int64_t group) const {
  return createBarrier(builder, (2 * group + 1) * stages, stage);
}

Value SharedRing::createNext(DeviceBuilder &builder, Value stage,
                             int64_t distance) const {
  Value next = builder.add(stage, distance);
  Value count = builder.constant(stages);
  Value wraps = builder.compare(arith::CmpIPredicate::uge, next, count);
  return builder.select(wraps, builder.subtract(next, count), next);
}

void SharedRing::createBarriers(DeviceBuilder &builder, int64_t warps) const {
  Value one = builder.constant(1), all = builder.constant(warps);
  for (int64_t stage = 0; stage < stages; ++stage)
    for (int64_t group = 0; group < numGroups; ++group) {
      Value index = builder.constant(stage);
      NVVM::MBarrierInitOp::create(
          builder, createFullBarrier(builder, index, group), one, Value());
      NVVM::MBarrierInitOp::create(
          builder, createEmptyBarrier(builder, index, group), all, Value());
    }
}

static Value getMember(DeviceBuilder &builder, Value state, int64_t index) {
  return builder.offset(state, 4 * index);
}

Value SharedRing::createState(DeviceBuilder &builder) const {
  auto state = LLVM::AllocaOp::create(
      builder, LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getI32Type(), waits ? 3 : 2),
      builder.constant(1));
  for (int64_t member = 0; member < (waits ? 3 : 2); ++member)
    builder.store(builder.constant(0), getMember(builder, state, member));
  return state;
}

SharedRing::State SharedRing::loadState(DeviceBuilder &builder) const {
  Type i32 = builder.getI32Type();
  return {builder.load(i32, getMember(builder, variables, 0)),
          builder.load(i32, getMember(builder, variables, 1))};
}

void SharedRing::storeState(DeviceBuilder &builder, State state) const {
  builder.store(state.stage, getMember(builder, variables, 0));
  builder.store(state.parity, getMember(builder, variables, 1));
}

Value SharedRing::loadHasWaited(DeviceBuilder &builder) const {
  return builder.compare(
      arith::CmpIPredicate::ne,
      builder.load(builder.getI32Type(), getMember(builder, variables, 2)),
      builder.constant(0));
}

void SharedRing::storeHasWaited(DeviceBuilder &builder) const {
  builder.store(builder.constant(1), getMember(builder, variables, 2));
}

SharedRing::State SharedRing::createNext(DeviceBuilder &builder,
                                         State state) const {
  Value next = createNext(builder, state.stage);
  Value wraps =
      builder.compare(arith::CmpIPredicate::eq, next, builder.constant(0));
  Value flipped = builder.exclusiveOr(state.parity, builder.constant(1));
  return {next, builder.select(wraps, flipped, state.parity)};
}

SharedRing::State SharedRing::createPrevious(DeviceBuilder &builder,
                                             State state) const {
  Value isFirst = builder.compare(arith::CmpIPredicate::eq, state.stage,
                                  builder.constant(0));
  Value before = builder.subtract(state.stage, builder.constant(1));
  Value flipped = builder.exclusiveOr(state.parity, builder.constant(1));
  return {builder.select(isFirst, builder.constant(stages - 1), before),
          builder.select(isFirst, flipped, state.parity)};
}

static void createJoinBarrier(DeviceBuilder &builder, JoinClusterOp join,
                              ScheduleAttr schedule) {
  NVVM::MBarrierInitOp::create(
      builder,
      createSharedAddress(builder, builder.getLoc(), *join.getOffset()),
      builder.constant(schedule.getCluster()), Value());
}

//===----------------------------------------------------------------------===//
// All rings of a kernel
//===----------------------------------------------------------------------===//

void parablock::tile::createRings(KernelOp kernel, LoweringContext &context) {
  ScheduleAttr schedule = kernel.getSchedule();
  SmallVector<SharedRing> rings;
  OpBuilder start = OpBuilder::atBlockBegin(&kernel.getBody().front());
  DeviceBuilder builder(kernel.getLoc(), start);
  if (schedule.getProducers() > 0)
    kernel.walk([&](PipelineOp pipeline) {
      Value &variables = context.rings[*pipeline.getOffset()];
      if (!variables)
        variables = rings.emplace_back(pipeline, schedule).createState(builder);
    });
  SmallVector<JoinClusterOp> joins;
  kernel.walk([&](JoinClusterOp join) { joins.push_back(join); });
  if (rings.empty() && joins.empty())
    return;
  Value isFirst = builder.compare(arith::CmpIPredicate::eq,
                                  builder.threadIndex(), builder.constant(0));
  builder.when(isFirst, [&] {
    for (const SharedRing &ring : rings)
      ring.createBarriers(builder, schedule.getWarps() * schedule.getSharing());
    for (JoinClusterOp join : joins)
      createJoinBarrier(builder, join, schedule);
    NVVM::FenceMbarrierInitOp::create(builder);
  });
  if (schedule.getCluster() == 1) {
    NVVM::BarrierOp::create(builder);
    return;
  }
  // The fence has published the barriers to the cluster; nothing else must be
  // ordered.
  NVVM::ClusterArriveRelaxedOp::create(builder, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, UnitAttr());
  // CTAs that join have waited for each other before they end.
  if (schedule.getJoins())
    return;
  // No CTA ends while others copy into its memory or arrive there.
  OpBuilder end(kernel.getBody().front().getTerminator());
  DeviceBuilder atEnd(kernel.getLoc(), end);
  NVVM::ClusterArriveOp::create(atEnd, UnitAttr());
  NVVM::ClusterWaitOp::create(atEnd, UnitAttr());
}
