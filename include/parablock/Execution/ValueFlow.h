//===- ValueFlow.h - values across the borders of regions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_VALUEFLOW_H
#define PARABLOCK_EXECUTION_VALUEFLOW_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::runner {

/// Returns where `value` is computed: a result of a layer or kernel is the
/// yielded value, an argument of a kernel's region the kernel's operand.
inline mlir::Value findOrigin(mlir::Value value) {
  while (true) {
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
      auto kernel = mlir::dyn_cast_or_null<block::KernelOp>(
          argument.getOwner()->getParentOp());
      if (!kernel)
        return value;
      value = kernel.getInputs()[argument.getArgNumber()];
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (!mlir::isa<block::LayerOp, block::KernelOp>(op))
      return value;
    unsigned index = mlir::cast<mlir::OpResult>(value).getResultNumber();
    value = op->getRegion(0).front().getTerminator()->getOperand(index);
  }
}

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_VALUEFLOW_H
