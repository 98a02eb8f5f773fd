//===- Join.cpp - what several CTAs have computed together ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Through memory, every CTA publishes its stores and then increments a counter;
// the CTA that finds all others done continues, after acquiring what they
// published. No CTA waits for another, so any number may run at a time.
//
// CTAs of a cluster run at the same time. Each has a barrier, where all arrive
// once their sums are staged, and again once they have read the others' sums:
// the computing warps alone, since those that copy are ahead. So a barrier
// begins every tile in the same phase. Only the first arrival publishes stores.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "OwnWarp.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
struct LowerJoin : public TilePattern<JoinOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    DeviceBuilder builder(loc, rewriter);
    int64_t offset = *op.getOffset();
    Value arrivals = createSharedAddress(builder, loc, offset);
    Value last = builder.subtract(adaptor.getCount(), builder.constant(1));
    createComputeBarrier(builder, loc, lowering);
    Value isFirst = builder.compare(arith::CmpIPredicate::eq,
                                    builder.threadIndex(), builder.constant(0));
    builder.when(isFirst, [&] {
      Value counter =
          createTensorAddress(builder, loc, lowering, op.getCounters(),
                              /*row=*/Value(), adaptor.getIndex());
      // After the barrier, so that it covers the stores of all threads.
      NVVM::MembarOp::create(builder, NVVM::MemScopeKind::GPU);
      Value before = LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::add,
                                               counter, builder.constant(1),
                                               LLVM::AtomicOrdering::monotonic);
      NVVM::MembarOp::create(builder, NVVM::MemScopeKind::GPU);
      builder.store(before, arrivals);
      Value isLast = builder.compare(arith::CmpIPredicate::eq, before, last);
      builder.when(isLast, [&] {
        auto reset = LLVM::StoreOp::create(builder, builder.constant(0),
                                           counter, /*alignment=*/4);
        reset.setOrdering(LLVM::AtomicOrdering::monotonic);
      });
    });
    createComputeBarrier(builder, loc, lowering);
    Value before = builder.load(builder.getI32Type(), arrivals);
    Value isLast = builder.compare(arith::CmpIPredicate::eq, before, last);
    auto branch = scf::IfOp::create(builder, isLast, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerJoinCluster : public TilePattern<JoinClusterOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(JoinClusterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    DeviceBuilder builder(loc, rewriter);
    Value barrier = createSharedAddress(builder, loc, *op.getOffset());
    arrive(builder, barrier, NVVM::MemScopeKind::CLUSTER);
    waitFor(builder, barrier, /*parity=*/0, NVVM::MemScopeKind::CLUSTER);
    addRows(builder, op, adaptor.getStaged(), adaptor.getCount());
    arrive(builder, barrier, NVVM::MemScopeKind::CTA);
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), {});
    waitFor(builder, barrier, /*parity=*/1, NVVM::MemScopeKind::CTA);
    rewriter.eraseOp(op);
    return success();
  }

private:
  int64_t getCTAs() const { return lowering.schedule.getCluster(); }

  /// The address of the same byte in the shared memory of CTA `rank`.
  static Value createRemote(DeviceBuilder &builder, Value address, Value rank) {
    return NVVM::MapaOp::create(
        builder, LLVM::LLVMPointerType::get(builder.getContext(), 7), address,
        rank);
  }

  /// Thread i of the CTA notifies CTA i of the cluster, after all warps.
  void arrive(DeviceBuilder &builder, Value barrier,
              NVVM::MemScopeKind scope) const {
    createComputeBarrier(builder, builder.getLoc(), lowering);
    Value thread = builder.threadIndex();
    // The backend may map the address in all threads. A shuffle is not hoisted
    // out of the loop over tiles.
    Value rank = NVVM::ShflOp::create(
        builder, builder.getI32Type(), builder.constant(-1),
        builder.remainder(builder.laneIndex(), getCTAs()), builder.laneIndex(),
        builder.constant(31), NVVM::ShflKind::idx, UnitAttr());
    Value remote = createRemote(builder, barrier, rank);
    builder.when(builder.compare(arith::CmpIPredicate::ult, thread,
                                 builder.constant(getCTAs())),
                 [&] {
                   NVVM::MBarrierArriveOp::create(builder, Type(), remote,
                                                  /*count=*/Value(), scope,
                                                  /*relaxed=*/false);
                 });
  }

  static void waitFor(DeviceBuilder &builder, Value barrier, int64_t parity,
                      NVVM::MemScopeKind scope) {
    constexpr int64_t nanoseconds =
        10'000'000; // asleep, before it checks again
    auto loop = scf::WhileOp::create(builder, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getBefore());
    Value isComplete = NVVM::MBarrierTryWaitOp::create(
        builder, builder.getI1Type(), barrier, builder.constant(parity),
        builder.constant(nanoseconds), scope, /*relaxed=*/false);
    Value isPending = arith::XOrIOp::create(
        builder, isComplete,
        arith::ConstantOp::create(builder, builder.getBoolAttr(true)));
    scf::ConditionOp::create(builder, isPending, ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder);
  }

  /// Adds the parts of this warp's rows, four columns for each lane at a time.
  void addRows(DeviceBuilder &builder, JoinClusterOp op, Value staged,
               Value count) const {
    constexpr int64_t width = 4;
    BufferType type = op.getStaged().getType();
    TileWarps warps = createTileWarps(builder, builder.getLoc(), lowering,
                                      /*ofCluster=*/true);
    auto extent = static_cast<int64_t>(op.getExtent());
    auto getFirst = [&](Value warp) {
      return createFirstRow(builder, builder.getLoc(), warp, warps.count,
                            extent);
    };
    Value first = getFirst(warps.warp);
    Value end = builder.createOrFold<arith::MinSIOp>(
        getFirst(builder.add(warps.warp, 1)), count);
    OpBuilder::InsertionGuard guard(builder);
    auto rows = scf::ForOp::create(builder, first, end, builder.constant(1));
    builder.setInsertionPointToStart(rows.getBody());
    Value row = builder.multiply(rows.getInductionVar(), type.getRowBytes());
    auto columns = scf::ForOp::create(
        builder, builder.multiply(builder.laneIndex(), width),
        builder.constant(type.getColumns()), builder.constant(32 * width));
    builder.setInsertionPointToStart(columns.getBody());
    Value offset =
        builder.add(row, builder.multiply(columns.getInductionVar(), 4));
    auto elements = VectorType::get(width, builder.getF32Type());
    // Addresses of whole parts would be computed before all tiles, and take
    // registers from products.
    Value own = builder.offset(staged, offset), sum;
    for (int64_t rank = 0; rank < getCTAs(); ++rank) {
      Value part = createRemote(builder, own, builder.constant(rank));
      Value next = builder.load(elements, part);
      sum = sum ? Value(arith::AddFOp::create(builder, sum, next)) : next;
    }
    builder.store(sum, own);
  }
};
} // namespace

void parablock::tile::addJoinPatterns(TilePatterns &patterns) {
  patterns.add<LowerJoin, LowerJoinCluster>();
}
