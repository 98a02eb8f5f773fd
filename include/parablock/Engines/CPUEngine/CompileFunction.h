//===- CompileFunction.h - model IR to code that runs here ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_COMPILEFUNCTION_H
#define PARABLOCK_CPUENGINE_COMPILEFUNCTION_H

#include "parablock/Engines/CPU/CpuExecutable.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"

namespace parablock {

struct CompileOptions {
  /// This rank of it, unless null.
  const mpi::World *world = nullptr;
  /// Where code is looked up and kept, unless null.
  CodeCache *cache = nullptr;
  /// Threads to compile on; 0 for as many as there are cores.
  unsigned threads = 0;
  /// Threads of runs that pack their weights, see packInRuns; 0 where runs find
  /// them packed.
  int32_t packingWorkers = 0;
  /// Packs weights, unless null: it is called once, on so many threads, with an
  /// executable that can do that alone as long as others compile the rest. Not
  /// where runs pack them.
  llvm::function_ref<llvm::Error(CpuExecutable &, unsigned threads)> pack = {};
};

/// A module, and a function of it.
struct LoweredFunction {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

/// Brings a copy of the function's module to kernels.
llvm::Expected<LoweredFunction> lowerCopy(mlir::func::FuncOp function,
                                          const KernelLowering &lowering);

/// Brings a copy of the function's module to kernels and compiles them.
llvm::Expected<std::unique_ptr<CpuExecutable>>
compileFunction(mlir::func::FuncOp function, const CpuTarget &target,
                const KernelLowering &lowering,
                const CompileOptions &options = {});

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_COMPILEFUNCTION_H
