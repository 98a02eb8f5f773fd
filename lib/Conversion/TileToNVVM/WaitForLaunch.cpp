//===- WaitForLaunch.cpp - kernels that begin early -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Nothing in memory is looked at before the launch before has ended. Then the
// next one may begin: it waits for this one in turn.
//
//===----------------------------------------------------------------------===//

#include "KernelPass.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEWAITFORLAUNCH
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

namespace {
struct TileWaitForLaunch
    : public KernelPass<
          parablock::impl::TileWaitForLaunchBase<TileWaitForLaunch>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    FailureOr<const parablock::Chip *> chip = getCheckedChip(kernel);
    if (failed(chip))
      return failure();
    if (!(*chip)->isHopper || kernel.getProgrammatic())
      return success();
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    for (NVVM::GridDepActionKind kind :
         {NVVM::GridDepActionKind::wait,
          NVVM::GridDepActionKind::launch_dependents})
      NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
    kernel.setProgrammatic(true);
    return success();
  }
};
} // namespace
