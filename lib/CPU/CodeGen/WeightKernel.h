//===- WeightKernel.h - tensors computed once from parameters ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_WEIGHTKERNEL_H
#define PARABLOCK_LIB_CPU_WEIGHTKERNEL_H

#include "Frame.h"
#include "PanelLayout.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::cpugen {

/// Whether `op` moves or folds tensors of static shape.
bool isWeightWork(mlir::Operation *op);

/// The values that `value` is computed from by such ops.
llvm::SetVector<Value> findLeaves(Value value);

/// Generates a kernel that computes `value`, as panels if `layout` is not null.
/// Its tensors are the leaves and the result; it has no sizes.
KernelCode buildWeightKernel(Frame &frame, Value value,
                             const PanelLayout *layout);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_WEIGHTKERNEL_H
