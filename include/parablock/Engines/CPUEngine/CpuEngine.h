//===- CpuEngine.h - the engine cpu -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_CPUENGINE_H
#define PARABLOCK_CPUENGINE_CPUENGINE_H

#include "parablock/Engines/CPU/CpuTarget.h"
#include "parablock/Engines/MPI/World.h"
#include "parablock/Execution/Engine.h"

namespace parablock {

/// Lowers a module of model IR to kernels, in place.
using KernelLowering = std::function<mlir::LogicalResult(mlir::ModuleOp)>;

class CodeCache;

/// The engine `cpu`: lowers a copy of the function's module to kernels with
/// `lowering`, compiles them for `target`, packs weights once, and runs. If
/// `world` is not null, this process is that rank of functions for several.
/// Code found in `cache`, unless null, is not compiled.
std::unique_ptr<runner::Engine>
createCpuEngine(CpuTarget target, KernelLowering lowering,
                mpi::World *world = nullptr,
                std::shared_ptr<CodeCache> cache = nullptr);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_CPUENGINE_H
