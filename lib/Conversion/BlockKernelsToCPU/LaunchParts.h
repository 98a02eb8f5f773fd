//===- LaunchParts.h - row parts of launches --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The launches that may process some rows at a time, and results that may
// overwrite inputs: determined at the creation of launches, from their ops. An
// op that may need other rows or sequences is not marked.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LAUNCHPARTS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LAUNCHPARTS_H

#include "PlanWriter.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Returns the parts of a kernel with the tensors and sizes of `launch`.
LaunchParts partKernel(const PlanWriter &plan, block::KernelOp kernel,
                       const Launch &launch);

/// Returns the parts of attention's gradients by heads.
LaunchParts partAttention(const PlanWriter &plan, block::SdpaGradOp op,
                          const Launch &launch);

/// Returns the parts of sums over rows of all inputs, with a result of `type`:
/// partial sums must not be rounded.
LaunchParts partSums(const PlanWriter &plan, const Launch &launch,
                     mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LAUNCHPARTS_H
