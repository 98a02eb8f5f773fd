//===- DeviceCode.h - LLVM IR and PTX of a gpu.module -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything here happens in this process and needs nothing of CUDA: the bytes
// depend on the input and the chip alone.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_DEVICECODE_H
#define PARABLOCK_TARGET_DEVICECODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock {

/// The dialects that device code is made of, with their way to LLVM IR. What
/// is translated must come from a context with this registry.
void registerDeviceDialects(mlir::DialectRegistry &registry);

/// The only gpu.module inside `module`; an error if there is none or another.
llvm::Expected<mlir::gpu::GPUModuleOp>
findDeviceModule(mlir::Operation *module);

struct TranslateOptions {
  /// Lines of the IR in the result, so that reports can name an op.
  bool debugInfo = false;
};

/// The LLVM IR of a module that buildDeviceLowering went over, optimised for
/// `chip` at -O3: what the backend gets, and what an emulator runs. Calls to
/// functions that nothing defines, and intrinsics for which the backend would
/// want a library, are errors naming them.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
                llvm::LLVMContext &context,
                const TranslateOptions &options = {});

/// The PTX text of what translateToLLVM made for the same chip.
llvm::Expected<std::string> emitPTX(std::unique_ptr<llvm::Module> module,
                                    llvm::StringRef chip);

/// Both steps.
llvm::Expected<std::string>
translateToPTX(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
               const TranslateOptions &options = {});

} // namespace parablock

#endif // PARABLOCK_TARGET_DEVICECODE_H
