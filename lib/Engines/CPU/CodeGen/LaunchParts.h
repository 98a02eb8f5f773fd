//===- LaunchParts.h - rows that launches need together ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which launches may do their rows some at a time, and where results may lie:
// found where launches are made, from what their ops are. What is not known to
// need a row, or a sequence, alone says nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_CODEGEN_LAUNCHPARTS_H
#define PARABLOCK_LIB_CPU_CODEGEN_LAUNCHPARTS_H

#include "PlanWriter.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Those of a kernel whose tensors and sizes `launch` has.
LaunchParts partKernel(const PlanWriter &plan, block::KernelOp kernel,
                       const Launch &launch);

/// Those of attention's gradients by heads.
LaunchParts partAttention(const PlanWriter &plan, block::SdpaGradOp op,
                          const Launch &launch);

/// Those of sums over rows of all inputs, with a result of `type`: what goes on
/// with sums must not find them rounded.
LaunchParts partSums(const PlanWriter &plan, const Launch &launch,
                     mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_CODEGEN_LAUNCHPARTS_H
