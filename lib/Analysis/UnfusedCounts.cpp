//===- UnfusedCounts.cpp - counts a layer as if nothing was fused ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepCounter.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The op that made the statistics that `norm` defers, or null.
static Operation *findStatistics(DeferredNormOp norm) {
  Operation *statistics = getProducer(norm.getMoment());
  if (auto merge = dyn_cast_or_null<MergeStatsOp>(statistics))
    statistics = getProducer(merge.getMoment());
  return statistics;
}

/// True where a deferred norm alone reads the statistics.
static bool isDeferred(NormStatsOp stats) {
  bool normalizes = false;
  forEachUse(stats.getMoment(), [&](OpOperand &use) {
    normalizes |= !isa<DeferredNormOp>(use.getOwner());
  });
  return !normalizes;
}

StepCounts parablock::countUnfused(LayerOp layer, const CountedSizes &sizes) {
  StepCounter counter(sizes, /*hasKernels=*/false);
  StepCounts &counts = counter.counts;
  layer.getBody().walk([&](Operation *op) {
    if (isa<KernelOp>(op))
      return;
    if (auto stats = dyn_cast<NormStatsOp>(op); stats && isDeferred(stats))
      return;
    counter.visit(op);
    if (auto norm = dyn_cast<DeferredNormOp>(op)) {
      // An unfused norm reads the row and writes it.
      if (!counter.isFirstOf(findStatistics(norm), "unfused norm"))
        return;
      ++counts.launches;
      counts.bytes +=
          2 * counter.countRows(norm.getInput()) *
          static_cast<double>(norm.getWidth()) *
          getElementTypeOrSelf(norm.getResult()).getIntOrFloatBitWidth() / 8;
    } else if (auto linear = dyn_cast<LinearOp>(op)) {
      // Each part of the model projects for itself.
      llvm::SmallSet<int, 2> parts;
      for (const Segment &segment :
           getSegments(linear.getResult(), linear.getInput()))
        parts.insert(static_cast<int>(segment.part));
      counts.launches += static_cast<int64_t>(parts.size()) - 1;
      counts.bytes += static_cast<double>(parts.size() - 1) *
                      counter.countBytes(linear.getInput());
    } else if (auto sum = dyn_cast<LinearSumOp>(op)) {
      // Each projection writes its result, and the addition reads it.
      auto more = static_cast<int64_t>(sum.getInputs().size()) - 1;
      counts.launches += more;
      counts.bytes +=
          2 * static_cast<double>(more) * counter.countBytes(sum.getResult());
    }
  });
  return counts;
}
