//===- NativeCode.h - kernels as LLVM IR ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_JIT_NATIVECODE_H
#define PARABLOCK_LIB_CPU_JIT_NATIVECODE_H

#include "parablock/Engines/CPU/CpuProgram.h"
#include "parablock/Engines/CPU/CpuTarget.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace parablock {

llvm::orc::JITTargetMachineBuilder makeMachineBuilder(const CpuTarget &target);

/// Kernels as LLVM IR, and the machine that they are for.
struct NativeKernels {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// Translates the kernels of a program for its target, and optimises nothing.
llvm::Expected<NativeKernels> translateKernels(const CpuProgram &program);

void optimizeKernels(llvm::Module &kernels, llvm::TargetMachine &machine);

/// A module as a relocatable object file.
llvm::Expected<std::string> emitObject(llvm::Module &module,
                                       llvm::TargetMachine &machine);

} // namespace parablock

#endif // PARABLOCK_LIB_CPU_JIT_NATIVECODE_H
