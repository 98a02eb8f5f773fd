//===- LeftoverKernel.h - ops that are no blocks, as kernels ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What block-raise left as it was: ops of upstream dialects on tensors. Those
// that follow each other become one kernel of one item. It is written on
// tensors, and lowered by upstream passes once all of them are written.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_LEFTOVERKERNEL_H
#define PARABLOCK_LIB_CPU_LEFTOVERKERNEL_H

#include "Frame.h"
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

  /// Tells whether a kernel has `op` in it, as its own or remade.
  bool takes(mlir::Operation *op) const {
    return op && (ops.contains(op) || isRemade(op));
  }

private:
  void addSources(Value value);
  llvm::DenseSet<Value> seen;
};

/// Writes the kernel. Its tensors are the inputs and the outputs, its sizes
/// those that the types of these leave open, in order.
void buildLeftoverKernel(Frame &frame, const Leftovers &leftovers);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_LEFTOVERKERNEL_H
