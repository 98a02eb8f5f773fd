//===- EmulateEngine.h - the engine emulate ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_EMULATEENGINE_H
#define PARABLOCK_DEVICE_EMULATEENGINE_H

#include "parablock/Execution/Engine.h"

namespace parablock {

/// Lowers a module of kernels to device code for a chip, in place.
using DeviceLowering =
    std::function<mlir::LogicalResult(mlir::ModuleOp, llvm::StringRef chip)>;

struct EmulateOptions {
  /// The chip to lower for.
  std::string chip;
  /// A defect to insert into the device code, as "KIND:SEED" (see
  /// Emulator/Mutator.h), for testing the emulator; empty for none.
  std::string mutation;
};

/// The engine `emulate`: lowers a copy of the function's module with
/// `lowering`, computes the results of `@prepack` on the reference engine, and
/// runs the kernels on emulated hardware. Defects that the emulator reports,
/// and output elements that no kernel writes, are errors.
std::unique_ptr<runner::Engine> createEmulateEngine(EmulateOptions options,
                                                    DeviceLowering lowering);

} // namespace parablock

#endif // PARABLOCK_DEVICE_EMULATEENGINE_H
