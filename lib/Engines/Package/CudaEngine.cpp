//===- CudaEngine.cpp - adapts packages to the engine interface -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Package/CudaEngine.h"

#include "LaunchedProgram.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Engines/Device/DeviceProgram.h"
#include "parablock/Engines/Device/PackageEngine.h"
#include "parablock/Execution/IntegerChecks.h"
#include "parablock/Execution/Signature.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

namespace {
class CudaEngine : public Engine {
public:
  CudaEngine(LaunchDevice device, std::shared_ptr<const Package> package,
             PackageOptions options, DevicePreparation prepare,
             DeviceLowering lower)
      : device(std::move(device)), package(std::move(package)),
        own(std::move(options)), prepare(std::move(prepare)),
        lower(std::move(lower)) {}

  llvm::StringRef name() const override { return "cuda"; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          llvm::ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  Expected<RunResult> runMade(mlir::func::FuncOp function,
                              llvm::ArrayRef<Tensor> arguments,
                              const RunOptions &options);

  LaunchDevice device;
  std::shared_ptr<const Package> package;
  PackageOptions own;
  DevicePreparation prepare;
  DeviceLowering lower;
};
} // namespace

/// Writes a package of the function, runs it and removes it.
Expected<RunResult> CudaEngine::runMade(mlir::func::FuncOp function,
                                        llvm::ArrayRef<Tensor> arguments,
                                        const RunOptions &options) {
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("parablock-cuda", folder))
    return llvm::createStringError(code, "cannot make a temporary folder: " +
                                             code.message());
  llvm::scope_exit removal(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string path = (folder + "/run.pbk").str();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      function->getParentOfType<mlir::ModuleOp>().clone();
  if (Error error =
          writePackage(*module, path, own, prepare, lower, llvm::nulls()))
    return error;
  Expected<Signature> prepared = readSignature(
      module->lookupSymbol<mlir::func::FuncOp>(function.getSymName()));
  if (!prepared)
    return prepared.takeError();
  std::vector<std::string> names;
  for (const Argument &argument : prepared->arguments)
    names.push_back(argument.name);
  Expected<std::vector<Tensor>> provided =
      provideDeviceArguments(function, arguments, *module, names);
  if (!provided)
    return provided.takeError();
  return runLaunched(path, *device, *provided, options);
}

Expected<RunResult> CudaEngine::run(mlir::func::FuncOp function,
                                    llvm::ArrayRef<Tensor> arguments,
                                    const RunOptions &options) {
  if (options.exactArithmetic)
    return llvm::createStringError(
        "engine cuda: device code rounds, expected no exact arithmetic");
  if (Error error = checkIntegerInputs(function, arguments))
    return error;
  if (!package)
    return runMade(function, arguments, options);
  if (Error error = checkPackagedFunction(*package, function))
    return error;
  return runLaunched(package->path, *device, arguments, options);
}

Expected<std::unique_ptr<Engine>>
parablock::createCudaEngine(std::shared_ptr<const Package> package,
                            PackageOptions options, DevicePreparation prepare,
                            DeviceLowering lower) {
  Expected<LaunchDevice> device = openLaunchDevice();
  if (!device)
    return device.takeError();
  return std::make_unique<CudaEngine>(std::move(*device), std::move(package),
                                      std::move(options), std::move(prepare),
                                      std::move(lower));
}
