//===- DeviceProgram.h - functions lowered to device code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_DEVICEPROGRAM_H
#define PARABLOCK_DEVICE_DEVICEPROGRAM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "parablock/Engines/Launch/LaunchPlan.h"

namespace parablock {

/// A lowered copy of a module, with the arguments of its function.
struct DeviceProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  LaunchPlan plan;
  mlir::gpu::GPUModuleOp kernels;
  /// The function's arguments.
  std::vector<runner::Tensor> arguments;
};

/// Returns the arguments of a plan made from `function`, by `names`: the
/// arguments of `function` and the results of `@prepack` in `module`.
llvm::Expected<std::vector<runner::Tensor>> provideDeviceArguments(
    mlir::func::FuncOp function, llvm::ArrayRef<runner::Tensor> arguments,
    mlir::ModuleOp module, llvm::ArrayRef<std::string> names);

/// Lowers a copy of the module of `function` for `chip`, and provides the
/// arguments of the resulting program.
llvm::Expected<DeviceProgram>
createDeviceProgram(mlir::func::FuncOp function,
                    llvm::ArrayRef<runner::Tensor> arguments,
                    llvm::StringRef chip, const DeviceLowering &lowering);

} // namespace parablock

#endif // PARABLOCK_DEVICE_DEVICEPROGRAM_H
