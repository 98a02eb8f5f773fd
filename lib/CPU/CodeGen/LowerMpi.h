//===- LowerMpi.h - upstream's MPI ops to calls -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_LOWERMPI_H
#define PARABLOCK_LIB_CPU_LOWERMPI_H

#include "parablock/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Lowers the MPI ops in `module` to calls of that library's functions.
mlir::LogicalResult lowerMpi(mlir::ModuleOp module, CpuRank::Library library);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_LOWERMPI_H
