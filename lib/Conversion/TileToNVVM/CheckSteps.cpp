//===- CheckSteps.cpp - checks that the preceding passes have run ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileToNVVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::tile;

/// The pass that has not been at an op; empty where all have.
static StringRef findMissingStep(Operation *op, ScheduleAttr schedule) {
  StringRef allocate = "tile-allocate-shared";
  auto isPlaced = [&](auto place) {
    return place.getOffset() ? StringRef() : allocate;
  };
  return TypeSwitch<Operation *, StringRef>(op)
      .Case([&](PipelineOp pipeline) {
        if (schedule.getProducers() > 0 && !pipeline.getRole())
          return StringRef("tile-specialize-warps");
        return isPlaced(pipeline);
      })
      .Case<CopyOutOp, FoldOp, JoinOp, JoinClusterOp, ScratchOp, SharedOp,
            StageOp>(isPlaced)
      .Case([&](TilesOp tiles) {
        bool lacksStep = schedule.getSharing() > 1 && !tiles.getInStep();
        return lacksStep ? StringRef("tile-share-copies") : StringRef();
      })
      .Case([&](StoreOp store) {
        return store.getLanes() ? StringRef() : StringRef("tile-mark-accesses");
      })
      .Case([&](TableOp) { return StringRef("tile-declare-globals"); })
      .Default(StringRef());
}

LogicalResult parablock::tile::checkSteps(KernelOp kernel) {
  StringRef missing;
  if (!kernel.getChip())
    missing = "tile-check-tiles";
  else if (!kernel.getSharedBytes())
    missing = "tile-allocate-shared";
  else
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      missing = findMissingStep(op, kernel.getSchedule());
      return missing.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  if (missing.empty() && *kernel.getSharedBytes() > 0 &&
      !module.lookupSymbol(kSharedSymbol))
    missing = "tile-declare-globals";
  if (missing.empty())
    return success();
  // Not at the op: that would print the whole kernel.
  return emitError(kernel.getLoc())
         << "expected kernel '" << kernel.getSymName()
         << "' to have been through " << missing << " before";
}
