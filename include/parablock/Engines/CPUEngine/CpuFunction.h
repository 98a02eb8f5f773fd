//===- CpuFunction.h - functions compiled for many runs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_CPUFUNCTION_H
#define PARABLOCK_CPUENGINE_CPUFUNCTION_H

#include "parablock/Engines/CPUEngine/CpuEngine.h"

namespace parablock {

/// Runs a compiled function on the calling thread; calls may overlap.
/// Parameters that share elements with those of a recent call are not packed
/// again.
using CpuFunction = std::function<llvm::Expected<std::vector<runner::Tensor>>(
    llvm::ArrayRef<runner::Tensor>)>;

/// Compiles a function for many runs. `function` must outlive the returned
/// callable.
llvm::Expected<CpuFunction> compileCpuFunction(mlir::func::FuncOp function,
                                               const CpuTarget &target,
                                               const KernelLowering &lowering);

/// Returns a compiler of functions for this machine.
llvm::Expected<std::function<llvm::Expected<CpuFunction>(mlir::func::FuncOp)>>
createCpuPreparation(KernelLowering lowering);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_CPUFUNCTION_H
