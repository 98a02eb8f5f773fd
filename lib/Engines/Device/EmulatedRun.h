//===- EmulatedRun.h - one run on the emulator ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DEVICE_EMULATEDRUN_H
#define PARABLOCK_LIB_DEVICE_EMULATEDRUN_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include "parablock/Execution/Engine.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"

namespace parablock {

/// Runs the kernels of `module` by `plan`, on the plan's arguments.
llvm::Expected<runner::RunResult>
runEmulated(const LaunchPlan &plan, llvm::orc::ThreadSafeModule module,
            llvm::ArrayRef<runner::Tensor> arguments,
            const runner::RunOptions &options);

llvm::Error refuseExactArithmetic(const runner::RunOptions &options);

} // namespace parablock

#endif // PARABLOCK_LIB_DEVICE_EMULATEDRUN_H
