//===- DeviceCode.h - LLVM IR and PTX of a gpu.module -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs in this process without CUDA: the bytes depend on the input and the chip
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_DEVICECODE_H
#define PARABLOCK_TARGET_DEVICECODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock {

/// Registers the dialects of device code, with their translations to LLVM IR. A
/// module to be translated must have a context with this registry.
void registerDeviceDialects(mlir::DialectRegistry &registry);

/// Returns the only gpu.module inside `module`; an error if there is none or
/// another.
llvm::Expected<mlir::gpu::GPUModuleOp>
findDeviceModule(mlir::Operation *module);

struct TranslateOptions {
  /// Adds lines of the IR to the result, so that reports can name an op.
  bool debugInfo = false;
};

/// Returns the LLVM IR of a module that buildDeviceLowering processed,
/// optimised for `chip` at -O3: the input of the backend and of the emulator.
/// Calls of undefined functions, and intrinsics that the backend implements by
/// library calls, are errors naming them.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
                llvm::LLVMContext &context,
                const TranslateOptions &options = {});

/// Returns the PTX text of a module that translateToLLVM returned for the same
/// chip.
llvm::Expected<std::string> emitPTX(std::unique_ptr<llvm::Module> module,
                                    llvm::StringRef chip);

/// Machine code, and what its assembler warned of.
struct AssembledKernels {
  std::string cubin;
  std::vector<std::string> warnings;
};

/// Functions that are compiled together, and machine code of them alone.
struct DevicePart {
  std::vector<std::string> functions;
  AssembledKernels code;
};

/// A module's code in both forms.
struct DeviceObject {
  /// The optimised LLVM IR, for the emulator.
  std::string bitcode;
  std::string ptx;
  /// Machine code part by part, with an assembler.
  std::vector<DevicePart> parts;
};

/// Functions that compileKernels calls on several threads.
struct CompileHooks {
  /// Makes machine code of a part's PTX, if any.
  std::function<llvm::Expected<AssembledKernels>(llvm::StringRef ptx)> assemble;
  /// Returns the kept result of a part, whose key is its IR before it is
  /// optimised, and keeps one. Both or neither are given.
  std::function<std::optional<std::string>(llvm::StringRef key)> find;
  std::function<void(llvm::StringRef key, llvm::StringRef result)> keep;
};

/// Compiles the kernels of a module as both steps do, each by itself and on all
/// threads: the numbers of kernels and threads do not change the bytes of a
/// kernel.
llvm::Expected<DeviceObject> compileKernels(mlir::gpu::GPUModuleOp module,
                                            llvm::StringRef chip,
                                            const CompileHooks &hooks = {});

/// Both steps.
llvm::Expected<std::string>
translateToPTX(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
               const TranslateOptions &options = {});

} // namespace parablock

#endif // PARABLOCK_TARGET_DEVICECODE_H
