//===- MarkAccesses.cpp - who stores, and where lanes must meet -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// When patterns see an op, the enclosing ops are already loops; facts that
// depend on those ops are recorded before.
//
//===----------------------------------------------------------------------===//

#include "KernelPass.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEMARKACCESSES
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// Tensors are traced from argument to access, so no op may be in between.
static LogicalResult checkTensors(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()) ||
          operand.getDefiningOp<TableOp>() ||
          operand.getDefiningOp<UnrealizedConversionCastOp>() ||
          (operand.getParentBlock() == &body && isa<BlockArgument>(operand)))
        continue;
      op->emitOpError("expected an argument of the kernel or a table, got ")
          << operand;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult markStore(StoreOp store) {
  Operation *around = store->getParentOp();
  while (!isa<ColumnsOp, FoldOp, ReduceOp, RowsOp, KernelOp>(around))
    around = around->getParentOp();
  if (isa<KernelOp>(around) ||
      (isa<ColumnsOp, ReduceOp>(around) && !around->getParentOfType<RowsOp>()))
    return store.emitOpError("expected tile.rows around it");
  bool isUniform = isa<RowsOp>(around);
  store.setLanes(isUniform ? Lanes::First : Lanes::Each);
  if (!isa<BufferType>(store.getDestination().getType()))
    return success();
  if (isUniform)
    store.setSynchronized(true);
  else if (auto columns = dyn_cast<ColumnsOp>(around))
    columns.setSynchronized(true);
  return success();
}

namespace {
struct TileMarkAccesses
    : public KernelPass<
          parablock::impl::TileMarkAccessesBase<TileMarkAccesses>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    if (failed(checkTensors(kernel)))
      return failure();
    WalkResult result = kernel.walk([](StoreOp store) {
      return failed(markStore(store)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
