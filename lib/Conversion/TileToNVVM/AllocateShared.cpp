//===- AllocateShared.cpp - places in shared memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rings first, then the room for staged tiles (one for all of them), then a row
// for each warp of every tile.scratch and a word for every tile.join. Where the
// warps that compute also copy, a ring is idle once its pipeline is done, and
// staged tiles take its place.
//
//===----------------------------------------------------------------------===//

#include "SharedRing.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
class Allocation {
public:
  explicit Allocation(KernelOp kernel)
      : kernel(kernel), schedule(kernel.getSchedule()) {}

  void placeRings() {
    kernel.walk([&](PipelineOp pipeline) {
      SmallVector<Type> types(TypeRange(ValueRange(pipeline.getBuffers())));
      for (PipelineOp other : pipelines)
        if (llvm::equal(types, TypeRange(ValueRange(other.getBuffers()))) &&
            pipeline.getStages() == other.getStages() &&
            pipeline->getAttr(kDeferred) == other->getAttr(kDeferred)) {
          pipeline->setAttr(kOffset, other->getAttr(kOffset));
          return;
        }
      place(pipeline, SharedRing(pipeline, schedule).getBytes(), ringAlignment);
      pipelines.push_back(pipeline);
    });
  }

  void placeStagedTiles() {
    SmallVector<StageOp> tiles;
    int64_t bytes = 0;
    kernel.walk([&](StageOp tile) {
      tiles.push_back(tile);
      bytes = std::max(bytes, tile.getBuffer().getType().getBytes());
    });
    if (tiles.empty())
      return;
    bool reusesRing = schedule.getProducers() == 0 && isAfterRings(tiles);
    int64_t offset = reusesRing ? 0 : llvm::alignTo(total, ringAlignment);
    total = std::max(total, offset + bytes);
    bool isUniform = llvm::all_of(tiles, [&](StageOp tile) {
      return tile.getBuffer().getType().getRowBytes() ==
             tiles.front().getBuffer().getType().getRowBytes();
    });
    for (StageOp tile : tiles) {
      setOffset(tile, offset);
      // A warp's rows lie where another tile has other warps' rows.
      if (!isUniform)
        tile->setAttr(kSynchronize, UnitAttr::get(kernel.getContext()));
    }
  }

  /// Where CTAs that meet keep who came when.
  void placeJoins() {
    kernel.walk([&](JoinOp join) { place(join, 4, /*alignment=*/16); });
  }

  void placeScratch() {
    kernel.walk([&](ScratchOp scratch) {
      place(scratch,
            scratch.getBuffer().getType().getBytes() * schedule.getWarps(),
            /*alignment=*/16);
    });
  }

  /// What the threads do before anything else.
  void createSetup() {
    if (schedule.getProducers() == 0 || pipelines.empty())
      return;
    OpBuilder start = OpBuilder::atBlockBegin(&kernel.getBody().front());
    DeviceBuilder builder(kernel.getLoc(), start);
    for (PipelineOp pipeline : pipelines)
      SharedRing(pipeline, schedule).createState(builder);
    Value isFirst = builder.compare(arith::CmpIPredicate::eq,
                                    builder.threadIndex(), builder.constant(0));
    builder.when(isFirst, [&] {
      for (PipelineOp pipeline : pipelines)
        SharedRing(pipeline, schedule)
            .createBarriers(builder,
                            schedule.getWarps() * schedule.getCluster());
      NVVM::FenceMbarrierInitOp::create(builder);
    });
    if (schedule.getCluster() == 1) {
      NVVM::BarrierOp::create(builder);
      return;
    }
    createClusterBarrier(builder);
    // Nobody leaves while others copy into its memory or arrive there.
    OpBuilder end(kernel.getBody().front().getTerminator());
    DeviceBuilder atEnd(kernel.getLoc(), end);
    createClusterBarrier(atEnd);
  }

  LogicalResult finish(const ChipFacts &chip) {
    if (total > chip.sharedBytes)
      // Not at the op: that would print the whole kernel.
      return emitError(kernel.getLoc())
             << "no GPU code for chip " << chip.name << ": the kernel takes "
             << total << " bytes of shared memory, expected at most "
             << chip.sharedBytes;
    kernel->setAttr(kSharedBytes, getInteger(total));
    return success();
  }

private:
  /// Whether nothing fills a ring while a staged tile is in use: there is one
  /// pipeline that is in no other, and tiles are staged outside of it.
  bool isAfterRings(ArrayRef<StageOp> tiles) {
    int64_t outermost = 0;
    kernel.walk([&](PipelineOp pipeline) {
      outermost += !pipeline->getParentOfType<PipelineOp>();
    });
    return outermost == 1 && llvm::none_of(tiles, [](StageOp tile) {
             return tile->getParentOfType<PipelineOp>();
           });
  }
  static void createClusterBarrier(DeviceBuilder &builder) {
    NVVM::ClusterArriveOp::create(builder, UnitAttr());
    NVVM::ClusterWaitOp::create(builder, UnitAttr());
  }
  IntegerAttr getInteger(int64_t value) {
    return IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), value);
  }
  void setOffset(Operation *op, int64_t offset) {
    op->setAttr(kOffset, getInteger(offset));
  }
  void place(Operation *op, int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(total, alignment);
    setOffset(op, offset);
    total = offset + bytes;
  }

  KernelOp kernel;
  ScheduleAttr schedule;
  int64_t total = 0;
  /// The first of each ring.
  SmallVector<PipelineOp> pipelines;
};
} // namespace

LogicalResult parablock::tile::allocateShared(KernelOp kernel,
                                              const ChipFacts &chip) {
  Allocation allocation(kernel);
  allocation.placeRings();
  allocation.placeStagedTiles();
  allocation.placeJoins();
  allocation.placeScratch();
  if (failed(allocation.finish(chip)))
    return failure();
  allocation.createSetup();
  return success();
}
