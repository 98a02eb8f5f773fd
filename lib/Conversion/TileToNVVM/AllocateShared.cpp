//===- AllocateShared.cpp - places in shared memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rings come first, then space for staged tiles (one for all of them), for
// tile.copy_out (one for all), a word for every tile.join, a barrier for every
// tile.join_cluster, parts of warps for tile.fold (one for all), a row for each
// warp of every tile.scratch, and every tile.shared. If the computing warps
// also copy, a ring is idle after its pipeline, and staged tiles reuse its
// space.
//
//===----------------------------------------------------------------------===//

#include "KernelPass.h"
#include "SharedRing.h"
#include "parablock/Conversion/Passes.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

namespace parablock {
#define GEN_PASS_DEF_TILEALLOCATESHARED
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

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
            pipeline.getDeferredAttr() == other.getDeferredAttr())
          return pipeline.setOffset(other.getOffset());
      place(pipeline, SharedRing(pipeline, schedule).getBytes(), ringAlignment);
      pipelines.push_back(pipeline);
    });
  }

  void placeStagedTiles() {
    SmallVector<StageOp> tiles;
    int64_t bytes = 0;
    kernel.walk([&](StageOp tile) {
      tiles.push_back(tile);
      bytes = std::max(bytes, tile.getBytes());
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
    llvm::SmallSet<int64_t, 2> extents;
    kernel.walk([&](RowsOp rows) {
      if (rows.getExtent())
        extents.insert(static_cast<int64_t>(*rows.getExtent()));
    });
    for (StageOp tile : tiles) {
      tile.setOffset(offset);
      // A warp's rows overlap other warps' rows in another tile, or are read by
      // other warps, if fewer warps share rows than the tile has room for, or
      // if the rows are columns of all warps.
      bool isRead = llvm::all_of(extents, [&](int64_t extent) {
        return extent == tile.getBuffer().getType().getRows();
      });
      tile.setSynchronized(!isUniform || !isRead || tile.getTransposed());
    }
  }

  void placeCopiesOut() {
    std::optional<int64_t> offset;
    kernel.walk([&](CopyOutOp copy) {
      if (offset)
        return copy.setOffset(*offset);
      place(copy, CopyOutOp::getSharedBytes(schedule), ringAlignment);
      offset = copy.getOffset();
    });
  }

  /// Places the counters and barriers of joining CTAs.
  void placeJoins() {
    kernel.walk([&](JoinOp join) { place(join, 4, /*alignment=*/16); });
    kernel.walk([&](JoinClusterOp join) { place(join, 8, /*alignment=*/16); });
  }

  /// Places the parts of warps, one after the other in the same memory.
  void placeFolds() {
    SmallVector<FoldOp> folds;
    int64_t bytes = 0;
    kernel.walk([&](FoldOp fold) {
      folds.push_back(fold);
      bytes = std::max(bytes, fold.getSharedBytes(schedule.getWarps()));
    });
    if (folds.empty())
      return;
    place(folds.front(), bytes, /*alignment=*/16);
    for (FoldOp fold : folds)
      fold.setOffset(folds.front().getOffset());
  }

  void placeScratch() {
    kernel.walk([&](ScratchOp scratch) {
      place(scratch,
            scratch.getBuffer().getType().getBytes() * schedule.getWarps(),
            /*alignment=*/16);
    });
  }

  void placeShared() {
    kernel.walk([&](SharedOp shared) {
      place(shared, shared.getBuffer().getType().getBytes(), /*alignment=*/16);
    });
  }

  LogicalResult finish(const parablock::Chip &chip) {
    if (total > chip.sharedBytes)
      // Not at the op: that would print the whole kernel.
      return emitError(kernel.getLoc())
             << "no GPU code for chip " << chip.name << ": the kernel takes "
             << total << " bytes of shared memory, expected at most "
             << chip.sharedBytes;
    kernel.setSharedBytes(total);
    return success();
  }

private:
  /// Returns whether no ring is filled while a staged tile is in use: there is
  /// one outermost pipeline, and tiles are staged outside it.
  bool isAfterRings(ArrayRef<StageOp> tiles) {
    int64_t outermost = 0;
    kernel.walk([&](PipelineOp pipeline) {
      outermost += !pipeline->getParentOfType<PipelineOp>();
    });
    return outermost == 1 && llvm::none_of(tiles, [](StageOp tile) {
             return tile->getParentOfType<PipelineOp>();
           });
  }
  template <typename OpT> void place(OpT op, int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(total, alignment);
    op.setOffset(offset);
    total = offset + bytes;
  }

  KernelOp kernel;
  ScheduleAttr schedule;
  int64_t total = 0;
  /// The first of each ring.
  SmallVector<PipelineOp> pipelines;
};
} // namespace

namespace {
struct TileAllocateShared
    : public KernelPass<
          parablock::impl::TileAllocateSharedBase<TileAllocateShared>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    FailureOr<const parablock::Chip *> chip = getCheckedChip(kernel);
    if (failed(chip))
      return failure();
    Allocation allocation(kernel);
    allocation.placeRings();
    allocation.placeStagedTiles();
    allocation.placeCopiesOut();
    allocation.placeJoins();
    allocation.placeFolds();
    allocation.placeScratch();
    allocation.placeShared();
    return allocation.finish(**chip);
  }
};
} // namespace
