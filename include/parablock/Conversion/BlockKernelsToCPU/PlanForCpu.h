//===- PlanForCpu.h - plans without code ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PLANFORCPU_H
#define PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PLANFORCPU_H

#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"

namespace parablock {

/// Makes the program of lowerToCpu without lowering its kernels: much faster,
/// for facts that follow from the plan alone.
llvm::Expected<CpuProgram> planForCpu(mlir::func::FuncOp function,
                                      const CpuTarget &target);

} // namespace parablock

#endif // PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PLANFORCPU_H
