//===- JoinLeftovers.cpp - pass cpu-join-leftovers ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Dialect/Plan/PlanOps.h"

namespace parablock {
#define GEN_PASS_DEF_CPUJOINLEFTOVERS
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

/// Moves the contents of modules within `kernels` to its end.
static void joinModules(ModuleOp kernels) {
  Block &body = *kernels.getBody();
  for (ModuleOp inner : llvm::to_vector(kernels.getOps<ModuleOp>())) {
    body.getOperations().splice(body.end(), inner.getBody()->getOperations());
    inner.erase();
  }
}

namespace {
struct CpuJoinLeftoversPass
    : public parablock::impl::CpuJoinLeftoversBase<CpuJoinLeftoversPass> {
  void runOnOperation() final {
    for (ModuleOp kernels : getOperation().getOps<ModuleOp>())
      joinModules(kernels);
    getOperation().walk([](plan::LaunchOp launch) {
      SymbolRefAttr kernel = launch.getKernel();
      ArrayRef<FlatSymbolRefAttr> path = kernel.getNestedReferences();
      if (path.size() == 2)
        launch.setKernelAttr(
            SymbolRefAttr::get(kernel.getRootReference(), path.drop_front()));
    });
  }
};
} // namespace
