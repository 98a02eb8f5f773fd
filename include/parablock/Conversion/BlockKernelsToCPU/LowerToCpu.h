//===- LowerToCpu.h - a function to a program for the CPU -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_LOWERTOCPU_H
#define PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_LOWERTOCPU_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "llvm/Support/Error.h"

namespace parablock {

namespace plan {
class ProgramOp;
} // namespace plan

/// Makes each run pack its weights, each just before its first use, as
/// temporaries: for functions whose parameters change from run to run. If sizes
/// are known, launches process some rows at a time, and are reordered to keep
/// buffers small; results are unaffected. Attention then has work for `workers`
/// threads.
void packInRuns(CpuProgram &program, int32_t workers = 1);

/// Reads a program whose kernels are in the LLVM dialect and detaches their
/// module from the enclosing one.
CpuProgram readCpuProgram(plan::ProgramOp op, const CpuTarget &target);

/// Generates code for `function`, whose module must be at level 3 (run
/// lowerToKernels of Pipelines/BlockToCPU.h on a copy first) and is changed:
/// the program replaces the function. Errors are emitted as diagnostics at the
/// op and returned. A function of several ranks must be fixed to `rank`
/// (Transforms/Shard/RankFunction.h).
llvm::Expected<CpuProgram> lowerToCpu(mlir::func::FuncOp function,
                                      const CpuTarget &target,
                                      const CpuRank &rank = {});

} // namespace parablock

#endif // PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_LOWERTOCPU_H
