//===- WeightKernel.h - tensors computed once from parameters ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_WEIGHTKERNEL_H
#define PARABLOCK_LIB_CPU_WEIGHTKERNEL_H

#include "Frame.h"
#include "PanelLayout.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::cpugen {

/// Tells whether `type` is that of tensors of static shape that the code for
/// work on weights can load and store: f32, bf16, f16 or i8.
bool isWeightType(mlir::Type type);

/// Tells whether `op` moves or folds such tensors, and reads nothing else.
bool isWeightWork(mlir::Operation *op);

/// Returns what such an op reads; the destination of a transposition holds
/// nothing.
mlir::ValueRange getWeightSources(mlir::Operation *op);

/// The values that `value` is computed from by such ops.
llvm::SetVector<Value> findLeaves(Value value);

/// Tells whether both are computed by the same ops, each from leaves of its
/// own, which correspond in their order and types: one kernel computes either.
bool isSameWeight(Value first, Value second);

/// Generates a kernel that computes `value`, as panels if `layout` is not null.
/// Its tensors are the leaves and the result; it has no sizes.
KernelCode buildWeightKernel(Frame &frame, Value value,
                             const PanelLayout *layout);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_WEIGHTKERNEL_H
