//===- WaitForLaunch.cpp - kernels that begin early -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mutable memory is not read before the previous launch has ended. The next one
// may begin, and waits for this one in turn: at once if CTAs of both fit on a
// multiprocessor, which then read constants while the previous launch drains,
// and after the wait otherwise, when these would only keep others out. Warps
// that copy fill the ring with constants before they wait.
//
//===----------------------------------------------------------------------===//

#include "KernelPass.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEWAITFORLAUNCH
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// Returns whether `value` is a tensor that no launch writes.
static bool isConstant(Value value, KernelOp kernel) {
  auto tensor = dyn_cast<BlockArgument>(value);
  return tensor && tensor.getParentRegion() == &kernel.getBody() &&
         kernel.isConstant(tensor.getArgNumber());
}

/// Returns whether `op`, outside `pipeline`, may read what a launch wrote.
static bool mayRead(Operation *op, PipelineOp pipeline, KernelOp kernel) {
  if (isa<DimOp>(op) || (isa<CopyOp>(op) && pipeline->isAncestor(op)))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<MemRefType>(operand.getType()) && !isConstant(operand, kernel);
  });
}

/// Returns the only pipeline of the warps that copy, if it copies constants at
/// addresses that do not depend on the previous launch.
static PipelineOp findWaiting(KernelOp kernel) {
  SmallVector<PipelineOp> found;
  kernel.walk([&](PipelineOp pipeline) {
    if (pipeline.getRole() == Role::Producer)
      found.push_back(pipeline);
  });
  if (found.size() != 1 || found.front().getDeferred() ||
      found.front().isNest())
    return {};
  PipelineOp pipeline = found.front();
  Operation *roles = kernel.getBody().findAncestorOpInRegion(*pipeline);
  if (!isa<scf::IfOp>(roles))
    return {};
  bool bringsConstants = false, mayDepend = false;
  cast<scf::IfOp>(roles).getThenRegion().walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op))
      bringsConstants |= isConstant(copy.getSource(), kernel);
    mayDepend |= mayRead(op, pipeline, kernel);
  });
  return bringsConstants && !mayDepend ? pipeline : PipelineOp();
}

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
    kernel.setProgrammatic(true);
    Region *waiting = &kernel.getBody();
    if (PipelineOp pipeline = findWaiting(kernel)) {
      pipeline.setWaits(true);
      // In warps that copy, only one thread accesses memory.
      waiting = &cast<scf::IfOp>(waiting->findAncestorOpInRegion(*pipeline))
                     .getElseRegion();
    }
    OpBuilder builder = OpBuilder::atBlockBegin(&waiting->front());
    // In each CTA some threads wait, so a launch never ends before the one that
    // it depends on, wherever it lets the next begin.
    auto first = NVVM::GridDepActionKind::wait;
    auto second = NVVM::GridDepActionKind::launch_dependents;
    if (leavesRoom(kernel, **chip))
      std::swap(first, second);
    for (NVVM::GridDepActionKind kind : {first, second})
      NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
    return success();
  }

private:
  /// Returns whether another kernel of its size fits on the multiprocessor.
  static bool leavesRoom(KernelOp kernel, const parablock::Chip &chip) {
    std::optional<int64_t> bytes = kernel.getSharedBytes();
    return bytes && *bytes <= chip.getSharedBytesBeside(2);
  }
};
} // namespace
