//===- WeightKernel.h - kernels that pack weights ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_PACKWEIGHTS_WEIGHTKERNEL_H
#define PARABLOCK_CONVERSION_PACKWEIGHTS_WEIGHTKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::cpugen {

/// Returns whether `type` is a tensor of static shape that weight code can load
/// and store: f32, bf16, f16 or i8.
bool isWeightType(mlir::Type type);

/// Returns whether `op` moves or folds such tensors, and reads nothing else.
bool isWeightWork(mlir::Operation *op);

/// Returns the inputs of such an op; the destination of a transposition has no
/// contents.
mlir::ValueRange getWeightSources(mlir::Operation *op);

/// The values that `value` is computed from by such ops.
llvm::SetVector<Value> findLeaves(Value value);

/// Returns whether both are computed by the same ops, each from its own leaves,
/// which correspond in order and types: one kernel computes either.
bool isSameWeight(Value first, Value second);

/// Generates a kernel that computes `value`, as panels if `layout` is not null.
/// Its tensors are the leaves and the result; it has no sizes.
KernelCode buildWeightKernel(Frame &frame, Value value,
                             const PanelLayout *layout);

} // namespace parablock::cpugen

#endif // PARABLOCK_CONVERSION_PACKWEIGHTS_WEIGHTKERNEL_H
