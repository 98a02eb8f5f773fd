//===- OptimizeForDevice.h - steps of translations to LLVM IR ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_OPTIMIZEFORDEVICE_H
#define PARABLOCK_LIB_TARGET_OPTIMIZEFORDEVICE_H

#include "parablock/Target/DeviceCode.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace parablock {

/// Returns the LLVM IR that optimizeForDevice makes translateToLLVM's.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateUnoptimized(mlir::gpu::GPUModuleOp op, llvm::TargetMachine &machine,
                     llvm::LLVMContext &context,
                     const TranslateOptions &options = {});

llvm::Error optimizeForDevice(llvm::Module &module,
                              llvm::TargetMachine &machine);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_OPTIMIZEFORDEVICE_H
