//===- MarkAccesses.cpp - who stores, and where lanes must meet -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns see an op after the ops around it have become loops; what depends on
// those is said here, before.
//
//===----------------------------------------------------------------------===//

#include "TileToNVVM.h"

using namespace mlir;
using namespace parablock::tile;

/// Tensors are followed from argument to access, so nothing may stand between.
static LogicalResult checkTensors(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()) ||
          operand.getDefiningOp<TableOp>() ||
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
  while (!isa<ColumnsOp, ReduceOp, RowsOp, KernelOp>(around))
    around = around->getParentOp();
  if (isa<KernelOp>(around) ||
      (isa<ColumnsOp, ReduceOp>(around) && !around->getParentOfType<RowsOp>()))
    return store.emitOpError("expected tile.rows around it");
  UnitAttr yes = UnitAttr::get(store.getContext());
  bool intoBuffer = isa<BufferType>(store.getDestination().getType());
  if (isa<RowsOp>(around))
    store->setAttr(kUniform, yes);
  if (intoBuffer)
    (isa<RowsOp>(around) ? store : around)->setAttr(kSynchronize, yes);
  return success();
}

LogicalResult parablock::tile::markAccesses(KernelOp kernel) {
  if (failed(checkTensors(kernel)))
    return failure();
  WalkResult result = kernel.walk([](StoreOp store) {
    return failed(markStore(store)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
