//===- LeftoverKernel.h - kernels of leftover ops ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of upstream dialects on tensors that block-raise left unchanged.
// Consecutive ones become one kernel of one item. It is written on tensors, and
// upstream passes lower all such kernels at the end.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::cpugen {

/// The work of one kernel.
struct Leftovers {
  Leftovers(llvm::ArrayRef<mlir::Operation *> ops,
            llvm::ArrayRef<Value> outputs);

  llvm::SetVector<mlir::Operation *> ops;
  /// Tensors that others made.
  llvm::SetVector<Value> inputs;
  llvm::SmallVector<Value> outputs;

  /// Returns whether a kernel contains `op`, as a member or recomputed.
  bool takes(mlir::Operation *op) const {
    return op && (ops.contains(op) || isRemade(op));
  }

private:
  void addSources(Value value);
  llvm::DenseSet<Value> seen;
};

/// Generates the kernel. Its tensors are the inputs and the outputs, its sizes
/// the dynamic sizes of their types, in order.
void buildLeftoverKernel(Frame &frame, const Leftovers &leftovers);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERKERNEL_H
