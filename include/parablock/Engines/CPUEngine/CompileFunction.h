//===- CompileFunction.h - compilation of model IR --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_COMPILEFUNCTION_H
#define PARABLOCK_CPUENGINE_COMPILEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Engines/CPU/CpuExecutable.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"

namespace parablock {

struct CompileOptions {
  /// This rank, unless null.
  const mpi::World *world = nullptr;
  /// The cache for code, unless null.
  CodeCache *cache = nullptr;
  /// Threads to compile on; 0 uses all cores.
  unsigned threads = 0;
  /// Threads of runs that pack their weights, see packInRuns; 0 if weights are
  /// packed before runs.
  int32_t packingWorkers = 0;
  /// Packs weights, unless null: called once, on `threads` threads, with an
  /// executable that can only pack while other threads compile the rest. Not
  /// called if runs pack them.
  llvm::function_ref<llvm::Error(CpuExecutable &, unsigned threads)> pack = {};
};

/// A module and one of its functions.
struct LoweredFunction {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

/// Lowers a copy of the function's module to kernels.
llvm::Expected<LoweredFunction> lowerCopy(mlir::func::FuncOp function,
                                          const KernelLowering &lowering);

/// Lowers a copy of the function's module to kernels and compiles them.
llvm::Expected<std::unique_ptr<CpuExecutable>>
compileFunction(mlir::func::FuncOp function, const CpuTarget &target,
                const KernelLowering &lowering,
                const CompileOptions &options = {});

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_COMPILEFUNCTION_H
