//===- PlanForCpu.h - plans without code ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PLANFORCPU_H
#define PARABLOCK_CPU_PLANFORCPU_H

#include "parablock/Engines/CPU/LowerToCpu.h"

namespace parablock {

/// Makes the program of lowerToCpu without lowering its kernels: much faster,
/// for facts that follow from the plan alone.
llvm::Expected<CpuProgram> planForCpu(mlir::func::FuncOp function,
                                      const CpuTarget &target);

} // namespace parablock

#endif // PARABLOCK_CPU_PLANFORCPU_H
