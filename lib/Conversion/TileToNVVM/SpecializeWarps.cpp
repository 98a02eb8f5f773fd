//===- SpecializeWarps.cpp - warps that copy, warps that compute ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both roles run the same loops. The copying role keeps the ops that its
// pipelines need, in one thread; registers that its warps do not need go to the
// others.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "KernelPass.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/EraseDead.h"

namespace parablock {
#define GEN_PASS_DEF_TILESPECIALIZEWARPS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

namespace {
struct RegisterSplit {
  int64_t producers, consumers;
};
} // namespace

/// Returns the division of a multiprocessor's registers; none if every thread
/// can have the maximum anyway.
static std::optional<RegisterSplit> splitRegisters(ScheduleAttr schedule) {
  constexpr int64_t registers = 64 * 1024, most = 240, granule = 8;
  int64_t warps = schedule.getWarps(), producers = schedule.getProducers();
  if (schedule.getThreads() <= 256 || warps % 4 != 0 || producers % 4 != 0)
    return std::nullopt;
  int64_t groups = warps / 4;
  int64_t forProducers = groups <= 2 ? 40 : groups == 3 ? 32 : 24;
  int64_t left = registers - forProducers * producers * 32;
  int64_t forConsumers = left / (warps * 32) / granule * granule;
  return RegisterSplit{forProducers, std::min(forConsumers, most)};
}

static void setRegisters(DeviceBuilder &builder, int64_t count,
                         NVVM::SetMaxRegisterAction action) {
  NVVM::SetMaxRegisterOp::create(builder, static_cast<uint32_t>(count), action);
}

static void setRole(Region &region, Role role) {
  region.walk([&](PipelineOp pipeline) { pipeline.setRole(role); });
}

/// Removes the ops that a pipeline only computes from its buffers, and does not
/// yield what it computes: warps that copy read none of it.
static void dropConsume(PipelineOp pipeline) {
  Block &body = pipeline.getConsume().front();
  size_t count = pipeline.getInits().size();
  body.getTerminator()->setOperands(body.getArguments().take_back(count));
  while (!pipeline.isNest() && body.getOperations().size() > 1)
    std::prev(body.end(), 2)->erase();
}

/// Keeps pipelines, and ops that they and their enclosing loops depend on.
static void keepPipelines(Region &region) {
  region.walk([](PipelineOp pipeline) { dropConsume(pipeline); });
  SmallVector<Operation *> others;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<CopyOutOp, FillOp, JoinOp, JoinClusterOp, RowsOp, SharedOp,
             StageOp>(op))
      return WalkResult::advance();
    others.push_back(op);
    return WalkResult::skip();
  });
  // Rows read earlier staged tiles.
  for (Operation *op : llvm::reverse(others))
    op->erase();
  parablock::eraseDeadOps(region);
}

static void specializeWarps(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  Block &body = kernel.getBody().front();
  Operation *end = body.getTerminator();
  SmallVector<Operation *> program;
  for (Operation &op : body.without_terminator())
    program.push_back(&op);

  OpBuilder atEnd(end);
  DeviceBuilder builder(kernel.getLoc(), atEnd);
  // Uniform over the lanes, and visibly so.
  Value warp = NVVM::ShflOp::create(builder, builder.getI32Type(),
                                    builder.constant(-1), builder.warpIndex(),
                                    builder.constant(0), builder.constant(31),
                                    NVVM::ShflKind::idx, UnitAttr());
  Value firstProducer = builder.constant(schedule.getWarps());
  Value copies =
      builder.compare(arith::CmpIPredicate::uge, warp, firstProducer);
  auto roles = scf::IfOp::create(builder, copies, /*withElseRegion=*/true);
  std::optional<RegisterSplit> split = splitRegisters(schedule);

  builder.setInsertionPointToStart(roles.thenBlock());
  if (split)
    setRegisters(builder, split->producers,
                 NVVM::SetMaxRegisterAction::decrease);
  Value isFirst =
      builder.compare(arith::CmpIPredicate::eq, warp, firstProducer);
  builder.when(isFirst, [&] {
    Value elected =
        NVVM::ElectSyncOp::create(builder, builder.getI1Type(), Value());
    builder.when(elected, [&] {
      IRMapping mapping;
      for (Operation *op : program)
        builder.clone(*op, mapping);
    });
  });
  keepPipelines(roles.getThenRegion());
  setRole(roles.getThenRegion(), Role::Producer);

  builder.setInsertionPointToStart(roles.elseBlock());
  if (split)
    setRegisters(builder, split->consumers,
                 NVVM::SetMaxRegisterAction::increase);
  for (Operation *op : program)
    op->moveBefore(roles.elseBlock()->getTerminator());
  setRole(roles.getElseRegion(), Role::Consumer);
}

static bool hasRoles(KernelOp kernel) {
  return kernel
      .walk([](PipelineOp pipeline) {
        return pipeline.getRole() ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct TileSpecializeWarps
    : public KernelPass<
          parablock::impl::TileSpecializeWarpsBase<TileSpecializeWarps>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    if (kernel.getSchedule().getProducers() > 0 && !hasRoles(kernel))
      specializeWarps(kernel);
    return success();
  }
};
} // namespace
