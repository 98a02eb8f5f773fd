//===- OptimizeModule.h - LLVM's optimisation passes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_OPTIMIZEMODULE_H
#define PARABLOCK_SUPPORT_OPTIMIZEMODULE_H

#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"

namespace parablock {

/// Runs LLVM's default passes for `machine` over `module`.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::OptimizationLevel level);

/// Runs passes given as text, in the syntax of -passes of LLVM's opt.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::StringRef passes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_OPTIMIZEMODULE_H
