//===- CheckPlans.cpp - what is lowered can be launched -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckPlans.h"

#include "parablock/Dialect/Block/Ranks.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"

using namespace mlir;
using namespace parablock;

/// True of the model itself, and of whatever else launches kernels.
static bool isLaunching(func::FuncOp function) {
  if (function.isExternal())
    return false;
  return function.getSymName() == "main" ||
         function.walk([](tile::LaunchOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

static LogicalResult checkPlan(func::FuncOp function, PlanRank rank) {
  llvm::Expected<LaunchPlan> plan = readLaunchPlan(function, rank);
  if (plan)
    return success();
  llvm::handleAllErrors(
      plan.takeError(),
      [](const PlanError &error) { emitError(error.location) << error.text; },
      [&](const llvm::ErrorInfoBase &error) {
        function.emitError() << error.message();
      });
  return failure();
}

namespace {
struct CheckPlansPass
    : public PassWrapper<CheckPlansPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckPlansPass)

  StringRef getName() const override { return "CheckPlans"; }

  void runOnOperation() final {
    markAllAnalysesPreserved();
    PlanRank rank{0, countRanks(getOperation()).value_or(1)};
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isLaunching(function) && failed(checkPlan(function, rank)))
        return signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> parablock::createCheckPlans() {
  return std::make_unique<CheckPlansPass>();
}
